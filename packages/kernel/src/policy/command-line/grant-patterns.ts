import type { CommandUnit } from '@countersign/protocol';
import { baseName, MULTI_CALL } from './programs.js';

/** What "always allow" may store for a command line: one row of words for each of its commands. */
export type GrantPatterns = {
  /** Exactly these commands; null when not all of their words are fixed. */
  readonly exact: readonly (readonly string[])[] | null;
  /** Every command that begins with these words; null where that would be broader than what was shown. */
  readonly prefix: readonly (readonly string[])[] | null;
};

/**
 * Programs that can do anything a rule could forbid, or more harm than one
 * answer should allow for good: a grant for them would be a grant for all.
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

/** Programs for which the bare name says nothing yet, although they have no sub-commands. */
const TOO_BROAD: ReadonlySet<string> = new Set(
  'curl wget npx bunx uvx pnpx make tee cp mv ln find fd sed awk gawk tar zip'.split(' '),
);

/** Sub-commands after which the next word says what is done: `npm run build`, `docker compose up`. */
const NAMES_MORE = /^(?:run|run-script|compose|exec|x|dlx|config|remote|stash|worktree|submodule|-m)$/;

/** null when nothing may be stored, since the answer would still be a question next time. */
export function grantPatternsFor(units: readonly CommandUnit[]): GrantPatterns | null {
  const needing = units.filter((unit) => unit.standing.type !== 'neutral' || unit.concerns.length > 0);
  if (needing.length === 0 || !needing.every(mayBeGranted)) return null;
  const patterns = { exact: allOrNone(needing.map(exactWords)), prefix: allOrNone(needing.map(prefixWords)) };
  return patterns.exact === null && patterns.prefix === null ? null : patterns;
}

/** A grant covers neither redirections nor variables nor code that is not shown. */
function mayBeGranted({ standing, program, concerns }: CommandUnit): boolean {
  return (
    standing.type === 'command' &&
    program !== null &&
    !NEVER.has(baseName(program)) &&
    concerns.every(({ type }) => type === 'escape')
  );
}

function exactWords({ words }: CommandUnit): readonly string[] | null {
  const texts = words.map(({ text, count }) => (count === 'one' ? text : null));
  return allOrNone(texts);
}

function prefixWords({ words, concerns, program }: CommandUnit): readonly string[] | null {
  // What lies in the workspace can be another program tomorrow, and an escape must be named to be covered.
  if (program === null || program.includes('/') || concerns.length > 0 || TOO_BROAD.has(program)) return null;
  if (!MULTI_CALL.has(program)) return [program];
  const [, sub, next] = words.map(({ text, count }) => (count === 'one' ? text : null));
  if (!isName(sub)) return null;
  if (!NAMES_MORE.test(sub)) return [program, sub];
  return isName(next) ? [program, sub, next] : null;
}

const isName = (word: string | null | undefined): word is string =>
  word !== null && word !== undefined && /^[a-z][\w:.-]*$/i.test(word);

const allOrNone = <T>(each: readonly (T | null)[]): readonly T[] | null => {
  const found = each.filter((value) => value !== null);
  return found.length === each.length ? found : null;
};
