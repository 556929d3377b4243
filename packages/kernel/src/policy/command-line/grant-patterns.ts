import type { CommandUnit } from '@countersign/protocol';
import { outsideOf } from './beginnings.js';
import { LOOKED_AT, lookedAtFor } from './looked-at.js';
import { baseName } from './programs.js';

/** What "always allow" may store for a command line: one row of words for each of its commands. */
export type GrantPatterns = {
  /** Exactly these commands; null when not all of their words are fixed. */
  readonly exact: readonly (readonly string[])[] | null;
  /** Commands that begin with these words, as far as `LOOKED_AT` lists what may follow; null where it lists nothing. */
  readonly prefix: readonly (readonly string[])[] | null;
};

/**
 * Programs that can do anything a rule could forbid, or more harm than one
 * answer should allow permanently: a grant for them would be a grant for all.
 */
const NEVER: ReadonlySet<string> = new Set(
  [
    'bash sh zsh dash ksh mksh ash fish csh tcsh eval source . exec trap alias env xargs parallel busybox toybox',
    'sudo doas su pkexec runuser gosu chroot unshare nsenter setpriv script strace ltrace watch flock',
    'python python2 python3 node deno bun perl ruby php lua tclsh osascript ghci irb java',
    'rm rmdir unlink shred dd mkfs fdisk parted chmod chown chgrp kill pkill killall shutdown reboot crontab at systemctl',
    'ssh scp sftp rsync nc ncat netcat socat telnet mount umount iptables vim vi nvim ex emacs',
  ].flatMap((line) => line.split(' ')),
);

/** null when nothing may be stored, since the answer would still be a question next time. */
export function grantPatternsFor(units: readonly CommandUnit[]): GrantPatterns | null {
  const needing = units.filter((unit) => unit.role.type !== 'neutral' || unit.concerns.length > 0);
  if (needing.length === 0 || !needing.every(mayBeGranted)) return null;
  const patterns = { exact: allOrNone(needing.map(exactWords)), prefix: allOrNone(needing.map(prefixWords)) };
  return patterns.exact === null && patterns.prefix === null ? null : patterns;
}

/**
 * Whether a command is given its input by the line: a pipe, a file, a here-document. What it does then may depend on
 * that (`awk -f -`, `patch`, `psql`), which the words that a grant stores do not show.
 */
export const isGivenInput = ({ program, input, redirects }: CommandUnit): boolean =>
  !PRINTS_INPUT.has(baseName(program ?? '')) &&
  (input === 'given' ||
    redirects.some(({ effect, target }) => effect === 'reads' && target?.text !== '/dev/null'));

/** Whatever their input is, they print it, or count, sort or pick from it. */
const PRINTS_INPUT: ReadonlySet<string> = new Set(
  'cat head tail wc nl tac rev cut tr paste join comm fold fmt column sort uniq diff cmp grep egrep fgrep rg jq od hexdump'.split(
    ' ',
  ),
);

/** A grant covers neither redirections nor variables nor code that is not shown. */
function mayBeGranted(unit: CommandUnit): boolean {
  const { role, program, concerns } = unit;
  return (
    role.type === 'command' &&
    !isGivenInput(unit) &&
    program !== null &&
    !NEVER.has(baseName(program)) &&
    concerns.every(({ type }) => type === 'escape')
  );
}

function exactWords({ words }: CommandUnit): readonly string[] | null {
  const texts = words.map(({ text, count }) => (count === 'one' ? text : null));
  return allOrNone(texts);
}

/** Only a beginning whose every continuation was looked at, and only if this command is among those. */
function prefixWords(unit: CommandUnit): readonly string[] | null {
  // What lies in the workspace can be another program tomorrow, and an escape must be named to be covered.
  if (unit.program === null || unit.program.includes('/') || unit.concerns.length > 0) return null;
  for (const { words: fixed, named } of LOOKED_AT) {
    const beginning = unit.words.slice(0, fixed.length + named).map(({ text }) => text);
    const known = allOrNone(beginning);
    if (known !== null && lookedAtFor(known) !== null && outsideOf(known, unit) === null) return known;
  }
  return null;
}

const allOrNone = <T>(each: readonly (T | null)[]): readonly T[] | null => {
  const found = each.filter((value) => value !== null);
  return found.length === each.length ? found : null;
};
