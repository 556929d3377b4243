import { readlinkSync, realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { ToolFailure } from '@countersign/protocol';
import { componentsOf } from './components.js';
import { errnoOf, readFailure } from './file-failure.js';

const COMPONENT_BYTES_MAX = 255; // what every common file system takes
const PATH_BYTES_MAX = 4096; // what Linux takes
const SYMLINKS_MAX = 40; // as many as Linux follows before it gives up
const SHOWN_CHARS_MAX = 120; // enough to recognise a path in a message

/**
 * The one real absolute path that a path argument means: what the kernel would
 * open, with every symlink and `..` resolved. What does not exist yet counts
 * from its nearest existing parent. Nothing is expanded or decoded: `~`, `$X`,
 * `%2e` and `\` are ordinary characters.
 */
export async function resolvePath(workspace: string, given: string): Promise<string> {
  const search = meaningOf(workspace, given);
  let step = search.next();
  while (!step.done) step = await answered(search, step.value);
  return step.value;
}

/** The same without waiting, for callers that cannot wait: it blocks all other work for as long as the disk takes. */
export function resolvePathSync(workspace: string, given: string): string {
  const search = meaningOf(workspace, given);
  let step = search.next();
  while (!step.done) step = answeredNow(search, step.value);
  return step.value;
}

/** A look at the file system. `link` gives what a symlink leads to, and null for whatever is no symlink or not there. */
type Look = { readonly at: 'real' | 'link'; readonly path: string };
type Search<T> = Generator<Look, T, string | null>;

async function answered(search: Search<string>, { at, path }: Look): Promise<IteratorResult<Look, string>> {
  let found: string | null;
  try {
    found = await (at === 'real' ? realpath(path) : readlink(path));
  } catch (error) {
    return passOn(search, at, error);
  }
  return search.next(found);
}

function answeredNow(search: Search<string>, { at, path }: Look): IteratorResult<Look, string> {
  let found: string | null;
  try {
    found = at === 'real' ? realpathSync.native(path) : readlinkSync(path);
  } catch (error) {
    return passOn(search, at, error);
  }
  return search.next(found);
}

function passOn(search: Search<string>, at: Look['at'], error: unknown): IteratorResult<Look, string> {
  const errno = errnoOf(error);
  const isNoLink = at === 'link' && (errno === 'EINVAL' || errno === 'ENOENT');
  return isNoLink ? search.next(null) : search.throw(error);
}

function* meaningOf(workspace: string, given: string): Search<string> {
  const problem = problemOfSpelling(given);
  if (problem !== null) throw invalid(given, problem);
  // Not path.join: it would take `link/..` for nothing, where the kernel goes to the parent of the link's target.
  const spelled = given.startsWith('/') ? given : `${workspace}/${given}`;
  const real = yield* follow(spelled, given);
  const kernelInterface = kernelInterfaceOf(real);
  if (kernelInterface !== null)
    throw new ToolFailure({ code: 'target_is_special', path: real, what: `part of ${kernelInterface}` });
  return real;
}

function problemOfSpelling(given: string): string | null {
  if (given === '') return 'it is empty';
  if (given.includes('\0')) return 'it contains a NUL character';
  if (/\p{Surrogate}/u.test(given)) return 'it contains half a character (an unpaired surrogate)';
  if (Buffer.byteLength(given) > PATH_BYTES_MAX) return `it is longer than ${PATH_BYTES_MAX} bytes`;
  const long = given.split('/').some((name) => Buffer.byteLength(name) > COMPONENT_BYTES_MAX);
  return long ? `a name in it is longer than ${COMPONENT_BYTES_MAX} bytes` : null;
}

function* follow(spelled: string, given: string): Search<string> {
  try {
    const real = yield { at: 'real', path: spelled };
    if (real !== null) return real;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw unresolvable(error, given);
  }
  try {
    return yield* followAsFarAsItExists(spelled);
  } catch (error) {
    throw unresolvable(error, given);
  }
}

/** Walks as the kernel would, through dangling symlinks too: a file made through one appears at its target. */
function* followAsFarAsItExists(spelled: string): Search<string> {
  const pending = spelled.split('/').reverse();
  let real: string[] = [];
  let followed = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      real.pop();
      continue;
    }
    const target = yield { at: 'link', path: `/${[...real, name].join('/')}` };
    if (target === null) {
      real.push(name);
      continue;
    }
    followed += 1;
    if (followed > SYMLINKS_MAX) throw Object.assign(new Error('too many symlinks'), { code: 'ELOOP' });
    if (target.startsWith('/')) real = [];
    pending.push(...target.split('/').reverse());
  }
  return `/${real.join('/')}`;
}

function unresolvable(error: unknown, given: string): Error {
  switch (errnoOf(error)) {
    case 'ELOOP':
      return invalid(given, 'its symbolic links form a loop');
    case 'ENOTDIR':
      return invalid(given, 'a part of it is a file, not a directory');
    case 'ENAMETOOLONG':
      return invalid(given, 'it is too long for the file system');
    default:
      return readFailure(error, shortened(given));
  }
}

/** Files there are doors into the kernel and into this very process: no grant makes them ordinary. */
function kernelInterfaceOf(real: string): string | null {
  const [first, second] = componentsOf(real);
  if (first === 'proc') return '/proc, an interface of the kernel';
  if (first === 'dev' && second !== 'shm') return '/dev, where devices are';
  return null;
}

const invalid = (given: string, problem: string): ToolFailure =>
  new ToolFailure({ code: 'invalid_path', path: shortened(given), problem });

const shortened = (given: string): string =>
  given.length > SHOWN_CHARS_MAX ? `${given.slice(0, SHOWN_CHARS_MAX)}…` : given;
