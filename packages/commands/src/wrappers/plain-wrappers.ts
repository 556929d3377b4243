import type { CommandConcern, CommandWord } from '@countersign/protocol';
import type { VariableUse } from '../collect/collector.js';
import { isAbbreviated, mayBeSplit, names, readArguments, type Token } from '../words/options.js';
import { escape } from '../words/word.js';
import { code, command, type Inner, NEUTRAL, opaque, PLAIN, type Reading } from './reading.js';

/**
 * A program whose arguments are options, perhaps some operands, and then a
 * command. An option that is not listed makes what it runs unknown: it may or
 * may not take the next word.
 */
export type PlainWrapper = {
  /** `transparent`: the command inside decides. `own`: it needs a rule of its own as well (SEMANTICS 1.4). */
  readonly kind: 'transparent' | 'own';
  readonly flags?: string;
  readonly valued?: string;
  readonly longFlags?: readonly string[];
  readonly longValued?: readonly string[];
  /** Words between the options and the command, such as the duration of `timeout`. */
  readonly operands?: number;
  /** Options with which it runs no command (`ionice -p PID`). */
  readonly withoutCommand?: readonly string[];
  /** Options that make more of it than a wrapper, and why. */
  readonly escapes?: { readonly [option: string]: string };
  /** `NAME=value` words may precede the command. */
  readonly setsVariables?: true;
  /** With no command it starts a shell, which reads its input. */
  readonly startsShell?: true;
};

const family = (programs: string, wrapper: PlainWrapper): { readonly [name: string]: PlainWrapper } =>
  Object.fromEntries(programs.split(' ').map((name) => [name, wrapper]));

export const PLAIN_WRAPPERS: { readonly [name: string]: PlainWrapper } = {
  builtin: { kind: 'transparent' },
  command: { kind: 'transparent', flags: 'p' },
  exec: { kind: 'transparent', flags: 'cl', valued: 'a' },
  env: {
    kind: 'transparent',
    flags: 'i0v',
    valued: 'uC',
    longFlags: names(
      'ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling',
    ),
    longValued: ['unset', 'chdir'],
    escapes: { '-C': 'runs it in another folder', '--chdir': 'runs it in another folder' },
    setsVariables: true,
  },
  nice: { kind: 'transparent', flags: '0123456789', valued: 'n', longValued: ['adjustment'] },
  nohup: { kind: 'transparent' },
  setsid: { kind: 'transparent', flags: 'cfw', longFlags: names('ctty fork wait') },
  ionice: {
    kind: 'transparent',
    flags: 't',
    valued: 'cn',
    longFlags: ['ignore'],
    longValued: ['class', 'classdata'],
    withoutCommand: ['-p', '-P', '-u', '--pid', '--pgid', '--uid'],
  },
  stdbuf: { kind: 'transparent', valued: 'ioe', longValued: names('input output error') },
  time: {
    kind: 'transparent',
    flags: 'apqv',
    valued: 'fo',
    longFlags: names('append portability quiet verbose'),
    longValued: ['format', 'output'],
    escapes: { '-o': 'writes a file', '--output': 'writes a file' },
  },
  timeout: {
    kind: 'transparent',
    flags: 'vfp',
    valued: 'ks',
    longFlags: names('foreground preserve-status verbose'),
    longValued: ['kill-after', 'signal'],
    operands: 1,
  },
  // Of zsh, whose `-c` text is read here as well.
  noglob: { kind: 'transparent' },
  nocorrect: { kind: 'transparent' },
  repeat: { kind: 'own', operands: 1 },

  sudo: {
    kind: 'own',
    flags: 'AbEeHiKklnPSsvB',
    valued: 'ughpCrtTUDR',
    longFlags: names(
      'askpass background bell preserve-env edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell validate',
    ),
    longValued: names('user group host prompt close-from role type command-timeout other-user chdir chroot'),
    setsVariables: true,
    startsShell: true,
  },
  doas: { kind: 'own', flags: 'nLs', valued: 'uCa', setsVariables: true, startsShell: true },
  pkexec: { kind: 'own', longFlags: ['disable-internal-agent', 'keep-cwd'], longValued: ['user'] },
  gosu: { kind: 'own', operands: 1 },
  fakeroot: { kind: 'own', flags: 'u', valued: 'lsibf' },
  busybox: { kind: 'own' },
  toybox: { kind: 'own' },
  strace: { kind: 'own', flags: 'cCdDfFhikqrtTvVwxyYzZnN', valued: 'eEIaboOpsSuPUX' },
  ltrace: { kind: 'own', flags: 'cCfiLrStTV', valued: 'aADeFlnopsux' },
  chroot: {
    kind: 'own',
    longFlags: ['skip-chdir'],
    longValued: ['groups', 'userspec'],
    operands: 1,
    startsShell: true,
  },
  unshare: {
    kind: 'own',
    flags: 'imnpuUTCfrc',
    valued: 'RwSGl',
    longFlags: names(
      'ipc mount net pid uts user time cgroup fork map-root-user map-current-user mount-proc kill-child keep-caps map-auto',
    ),
    longValued: names(
      'root wd setuid setgid propagation setgroups map-user map-group map-users map-groups boottime monotonic',
    ),
    startsShell: true,
  },
  nsenter: {
    kind: 'own',
    flags: 'amuinpCUTFeZcrw',
    valued: 'tSGWN',
    longFlags: names(
      'all mount uts ipc net pid cgroup user time no-fork preserve-credentials root wd follow-context env join-cgroup keep-caps',
    ),
    longValued: names('target setuid setgid wdns net-socket'),
    startsShell: true,
  },
  setarch: { kind: 'own', flags: 'vBFILRSTXZ3', operands: 1, startsShell: true },
  ...family('linux32 linux64 i386 i586 i686 x86_64 uname26', {
    kind: 'own',
    flags: 'vBFILRSTXZ3',
    startsShell: true,
  }),
  newgrp: { kind: 'own', flags: 'l', operands: 1, startsShell: true },
  // Whatever option they are given, the command after it is seen by rules that deny.
  ...family(
    'numactl systemd-run cgexec firejail bwrap proot catchsegv valgrind perf xvfb-run dbus-run-session dbus-launch faketime unbuffer rlwrap torsocks torify proxychains proxychains4 caffeinate ssh-agent pidexec daemonize chpst softlimit envdir setuidgid start-stop-daemon choom',
    { kind: 'own' },
  ),
  setpriv: {
    kind: 'own',
    flags: 'd',
    longFlags: names('nnp no-new-privs clear-groups keep-groups init-groups reset-env dump list-caps'),
    longValued: names(
      'reuid regid groups ruid euid rgid egid inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile',
    ),
  },
  prlimit: {
    kind: 'own',
    flags: 'cdefilmnqrstuvxy=0123456789:',
    longFlags: names(
      'core data nice fsize sigpending memlock rss nofile msgqueue rtprio stack cpu nproc as locks rttime verbose raw noheadings',
    ),
    withoutCommand: ['-p', '--pid'],
  },
  taskset: {
    kind: 'own',
    flags: 'ac',
    longFlags: ['all-tasks', 'cpu-list'],
    operands: 1,
    withoutCommand: ['-p', '--pid'],
  },
  chrt: {
    kind: 'own',
    flags: 'abdfiorRvm',
    valued: 'TPD',
    longFlags: names('batch deadline fifo idle other rr reset-on-fork verbose all-tasks'),
    longValued: names('sched-runtime sched-period sched-deadline'),
    operands: 1,
    withoutCommand: ['-p', '--pid', '-m', '--max'],
  },
};

export function readPlainWrapper(words: readonly CommandWord[], wrapper: PlainWrapper): Reading {
  const { operands = 0, withoutCommand = [], kind } = wrapper;
  const tokens = readArguments(words, {
    valued: wrapper.valued ?? '',
    valuedLong: wrapper.longValued ?? [],
    stopsAtOperand: true,
  });
  const concerns: CommandConcern[] = [];
  let next = words.length;
  for (const token of tokens) {
    if (token.type === 'operand') {
      next = token.index;
      break;
    }
    if (token.type === 'option' && withoutCommand.includes(token.name)) return PLAIN;
    const why = token.type === 'option' ? wrapper.escapes?.[token.name] : undefined;
    if (why !== undefined && !mayBeSplit(token)) {
      concerns.push(escape(token.word, why));
    } else if (!isKnown(token, wrapper)) {
      return opaque(`what it runs is not known because of ${token.word.source}`, seenAfter(token, words));
    }
  }
  const before = words.slice(next, next + operands);
  if (before.some(({ count }) => count === 'any')) {
    return opaque('where the command begins is not known', [command(words.slice(next + operands))]);
  }
  // `env - command` is `env -i command`.
  if (wrapper.setsVariables && words[next]?.text === '-') next += 1;
  const { variables, rest } = splitVariables(words.slice(next + operands), wrapper);
  if (rest.length === 0) return withoutInner(words, wrapper, concerns);
  const role = kind === 'transparent' ? NEUTRAL.role : PLAIN.role;
  return { role, concerns, runs: [command(rest, variables)] };
}

/** With an option that is not understood, the command may begin after it, after its value, or be its value (`env -S`). */
function seenAfter(token: Exclude<Token, { type: 'operand' }>, words: readonly CommandWord[]): Inner[] {
  const following = words.slice(token.index + 1);
  const { outline } = token.word;
  const start =
    token.type === 'option' && !token.name.startsWith('--')
      ? outline.indexOf(token.name.slice(1), 1)
      : outline.indexOf('=');
  const value = start === -1 ? [] : [{ ...token.word, outline: outline.slice(start + 1) }];
  const split = [...value, ...following];
  // `env -S '-i touch x'`: what is split begins with options again.
  return [
    command(following),
    command(following.slice(1)),
    code(split),
    code([...words.slice(0, 1), ...split]),
  ];
}

function withoutInner(
  words: readonly CommandWord[],
  { kind, startsShell }: PlainWrapper,
  concerns: CommandConcern[],
): Reading {
  const last = words.at(-1);
  if (
    startsShell &&
    last !== undefined &&
    !words.some(({ text }) => text !== null && /^-[elvkKV]|^--(?:list|version|help)/.test(text))
  ) {
    concerns.push({ type: 'code', why: 'starts a shell that reads its input', span: last.span });
  }
  // `env` alone prints secrets; `exec 2>&1` and a bare `command` do nothing.
  const isIdle = kind === 'transparent' && words[0]?.text !== 'env' && words.length === 1;
  return { ...(isIdle ? NEUTRAL : PLAIN), concerns };
}

function isKnown(token: Exclude<Token, { type: 'operand' }>, wrapper: PlainWrapper): boolean {
  if (token.type === 'unknown' || mayBeSplit(token)) return false;
  const { name } = token;
  const { flags = '', valued = '', longFlags = [], longValued = [] } = wrapper;
  if (!name.startsWith('--')) return `${flags}${valued}`.includes(name.slice(1));
  return isAbbreviated(name, [...longFlags, ...longValued]);
}

function splitVariables(
  words: readonly CommandWord[],
  { setsVariables }: PlainWrapper,
): { readonly variables: readonly VariableUse[]; readonly rest: readonly CommandWord[] } {
  const first = setsVariables ? words.findIndex(({ leading }) => !leading.includes('=')) : 0;
  const end = first === -1 ? words.length : first;
  const variables = words
    .slice(0, end)
    .map(({ leading, span }) => ({ name: leading.slice(0, leading.indexOf('=')), span }));
  return { variables, rest: words.slice(end) };
}
