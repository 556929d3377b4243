import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, type Line, test } from './program.js';

const shell = (command: string): Line => ({ name: 'run_shell_command', args: { command } });

/** What they run is known only when it runs, and could be what the rule denies. */
const HIDDEN = [
  'x=touch; exec $x P',
  'set -- touch P; env "$@"',
  'exec $(echo touch) P',
  'printf "touch P" | xargs nice',
  "bash <<< 'touch P'",
  "printf 'touch P' | sh",
  ". /dev/stdin <<< 'touch P'",
  "linux64 <<< 'touch P'",
  "newgrp root <<< 'touch P'",
  "PROMPT_COMMAND='touch P' bash -i",
  "PS4='$(touch P)'; set -x; ls",
];

const SEEN = [
  "env -S '-i touch P'",
  'setarch x86_64 touch P',
  "mapfile -C 'touch P;:' z",
  "sg root 'touch P'",
];

const ORDINARY = ['npm test', 'bash script.sh', 'printf x | grep y', 'node -e 1', 'x=1; echo $x'];

test('in yolo a rule that denies is not passed by a command that cannot be seen [P1] [P4]', async ({
  place,
}) => {
  const file = join(place.directory, 'deny.toml');
  writeFileSync(
    file,
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n',
  );
  const decide = async (lines: readonly string[], ...args: string[]) => {
    const options = ['policy', 'check', '--json', '--mode', 'yolo', ...args];
    const { lines: verdicts } = await place.run(options, { stdin: asLines(...lines.map(shell)) });
    return verdicts.map(({ decision }, at) => `${String(decision)} ${lines[at]}`);
  };
  expect(await decide(HIDDEN, '--policy', file)).toEqual(HIDDEN.map((line) => `ask_user ${line}`));
  expect(await decide(SEEN, '--policy', file)).toEqual(SEEN.map((line) => `deny ${line}`));
  expect(await decide(ORDINARY, '--policy', file)).toEqual(ORDINARY.map((line) => `allow ${line}`));
  // Without such a rule, yolo is yolo.
  expect(await decide(["bash <<< 'touch P'", 'x=touch; exec $x P'])).toEqual([
    "allow bash <<< 'touch P'",
    'allow x=touch; exec $x P',
  ]);
});
