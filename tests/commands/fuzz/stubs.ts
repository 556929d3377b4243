/**
 * Programs that do nothing but report that they ran, and one thing more each, so
 * that lines take every turn: one fails, one gives a number, one the name of
 * another. None is the name of a program that a machine may have.
 */
export const STUBS = {
  pa: '',
  pb: 'exit 1',
  pc: 'echo 1',
  pd: 'echo pa x',
} as const;

export const STUB_NAMES = Object.keys(STUBS);

/** Programs that run others, taken from the machine where it has them. Nothing else can be reached. */
export const REAL_PROGRAMS = [
  ...['bash', 'sh', 'cat', 'env', 'timeout', 'nice', 'nohup', 'setsid', 'stdbuf', 'xargs', 'find'],
  ...['ionice', 'flock', 'taskset', 'chrt', 'prlimit', 'setpriv'],
];

/** What lies in the folder where a line runs: names for patterns, one of them that of a stub. */
export const FILES = ['file', 'pb'];
