import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeCommand } from '../analyze-command.js';

// Stub programs write down that they ran, and with what: everything they say must have been foreseen.
const STUBS = ['pa', 'pb', 'pc', 'pd'];
const REAL = ['env', 'timeout', 'nice', 'xargs', 'find', 'bash', 'sh', 'cat', 'nohup', 'stdbuf', 'setsid'];

let folder = '';
const inFolder = (...names: string[]) => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-against-bash-'));
  mkdirSync(inFolder('bin'));
  mkdirSync(inFolder('work'));
  writeFileSync(inFolder('work', 'file'), '');
  // One write for each run: two at the same time may not mix.
  const note = `said="\${0##*/}"\nfor each; do said="$said\x1f$each"; done\nprintf '%s\\036' "$said" >> '${inFolder('log')}'`;
  for (const stub of STUBS)
    writeFileSync(
      inFolder('bin', stub),
      `#!/bin/sh
${note}
`,
      { mode: 0o755 },
    );
  for (const name of REAL) {
    const real = execFileSync('which', [name], { encoding: 'utf8' }).trim();
    writeFileSync(inFolder('bin', name), `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  'pa; pb && pc || pd | pa & wait',
  'pa |& pb; ! pc; time -p pd',
  '{ pa; pb; }; (pc; (pd))',
  'if pa; then pb; elif pc; then :; else pd; fi',
  'for x in $(pa) a; do pb "$x"; done; while pc; do break; done',
  'case $(pa) in x) pb;; *) pc;& y) pd;; esac',
  'f() { pa; }; function g { pb; }; f; g',
  'coproc pa x; wait',
  ': $(pa) `pb` "$(pc "$(pd)")" "`pa \\`pb\\``"',
  ': ${x:-$(pa)} "${x:-`pb`}" ${x:+$(pc)} ${y[$(pd; echo 0)]}',
  ': $((1 + $(pa; echo 1))) $[ `pb; echo 1` ]; (( 1 + $(pc; echo 1) ))',
  'cat <(pa) <(pb | pc) > /dev/null; : > >(pd)',
  'x=$(pa) y=(a $(pb)) z[$(pc; echo 1)]=2; x=1 pd',
  "cat <<E\n$(pa) '`pb`' \\$(pc) ${x:-$(pd)}\nE\n",
  "cat <<'E'\n$(pa)\nE\npb",
  'cat <<-E\n\t$(pa)\n\tE\npb',
  'cat <<E; pa\n$(pb)\nE',
  'cat <<< "$(pa)"; pb > "$(pc; echo out)"',
  `p""a 'x y' ; "pb" a\\ b; $'\\x70c' $'\\u0041\\n'; \\p\\d`,
  'p\\\na x\\\ny # pb $(pc)',
  "pa 'a; pb' \"\\$(pc)\" '`pd`'",
  'timeout 5 pa x; env A=1 -u B pb; nice -n 1 pc; command pd; command -p -- pa',
  'bash -c \'pa; pb "$(pc)"\'; sh -ec "pd \\$(pa)"; bash -o pipefail -c -- \'pb\'',
  "eval 'pa; pb' ; eval pc x; eval eval pd",
  "trap 'pa x' EXIT; exec pb",
  'echo a b | xargs -n1 pa; echo c | xargs -I% pb %x; find . -name file -exec pc {} \\; -exec pd {} +',
  'nohup stdbuf -oL setsid -w pa x > /dev/null 2>&1',
  'ls() { pa; }; ls; pb() { pc; }; pb',
  '[[ -n $(pa) && x == $(pb) ]]; [ -n "$(pc)" ]; test "`pd`"',
  '(( (1) )); ((pa); pb)',
  '!(pa); { pb; } 2> /dev/null; pc >&2',
  'pa {a,b}c "{a,b}" ; pb *; pc "$HOME" $HOME; pd ~/x',
  'select x in a; do pa; break; done <<< 1; until pb; do :; done',
  'for ((i=0; i<1; i++)); do pa $i; done; [[ a =~ $(pb) ]]',
  'pa;pb\npc\n\n\npd\\\n x',
])('what bash runs of %j was foreseen [P4]', (text) => {
  rmSync(inFolder('log'), { force: true });
  spawnSync('bash', ['-c', text], {
    cwd: inFolder('work'),
    env: { PATH: inFolder('bin'), HOME: '/home/nobody' },
    timeout: 5_000,
    input: '',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const runs = existsSync(inFolder('log'))
    ? readFileSync(inFolder('log'), 'utf8')
        .split('\x1e')
        .filter((run) => run !== '')
        .map((run) => run.split('\x1f'))
    : [];
  const { problem, units } = analyzeCommand(text);
  expect(problem).toBeNull();
  expect(runs.length).toBeGreaterThan(0);
  for (const [program, ...args] of runs) {
    const foreseen = units.filter((unit) => unit.program === program);
    // A word that is not fixed, or a home folder, may have become anything.
    const fits = foreseen.some(
      ({ words }) =>
        words.slice(1).some(({ text: fixed, source }) => fixed === null || source.startsWith('~')) ||
        JSON.stringify(words.slice(1).map((word) => word.text)) === JSON.stringify(args),
    );
    expect({ program, args, fits }).toMatchObject({ fits: true });
  }
});
