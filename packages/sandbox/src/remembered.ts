import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.js';

/** Counted up with every change of what the self-test tries: what passed an older one is tried again. */
const SELF_TEST_REVISION = 3;

const BYTES_MAX = 1_000; // ours has a hundred

/**
 * That a bubblewrap passed the self-test, for the other processes of this
 * person until the machine is started again, since the first command of each
 * would wait for it. Only that it passed is kept, never which program to run or
 * that it failed. So tampering with the file gets commands confined by a
 * bubblewrap that was not tried, or one that does not start: not one command
 * that runs unconfined.
 */
export function recallPassed(program: string, directory: string): Sandbox | null {
  try {
    const [key, version, ...rest] = readOwn(join(directory, NAME)).split('\n');
    const isOurs = key === circumstances(program) && VERSION.test(version ?? '') && rest.join('') === '';
    return isOurs && version !== undefined ? { available: true, version, program } : null;
  } catch {
    return null;
  }
}

/** What cannot be kept is tried again by the next process. */
export function keepPassed({ program, version }: Sandbox, directory: string): void {
  const unfinished = join(directory, `${NAME}.${randomBytes(6).toString('hex')}`);
  try {
    const text = `${circumstances(program)}\n${version}\n`;
    writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, join(directory, NAME));
  } catch {
    rmSync(unfinished, { force: true });
  }
}

export function forgetPassed(directory: string): void {
  try {
    rmSync(join(directory, NAME), { force: true });
  } catch {
    // Then it is still there, and its next user gets the error from bubblewrap itself.
  }
}

const NAME = 'countersign-sandbox-passed';
const VERSION = /^[\w.+~-]{1,40}$/;

/** All that the outcome hangs on, as far as it can be determined without a trial. Throws where it cannot. */
function circumstances(program: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs, uid, mode } = statSync(program, { bigint: true });
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  // Containers share the kernel, and each has its own rules about namespaces.
  const namespaces = ['user', 'mnt', 'net', 'pid'].map((name) => readlinkSync(`/proc/self/ns/${name}`));
  const rules = /^(?:CapBnd|NoNewPrivs|Seccomp):.*$/gm;
  const allowed = readFileSync('/proc/self/status', 'utf8').match(rules);
  const file = [program, dev, ino, size, mtimeNs, ctimeNs, uid, mode].map(String);
  const here = [process.geteuid?.(), process.getegid?.(), release(), bootId, ...namespaces];
  return createHash('sha256')
    .update(JSON.stringify([SELF_TEST_REVISION, file, here, allowed]))
    .digest('hex');
}

/** Only what this user alone can have written. */
function readOwn(path: string): string {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { uid, mode, size } = fstatSync(handle);
    const isOwn = uid === process.geteuid?.() && (mode & 0o7777) === 0o600;
    const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
    return isOwn && isFile && size <= BYTES_MAX ? readFileSync(handle, 'utf8') : '';
  } finally {
    closeSync(handle);
  }
}
