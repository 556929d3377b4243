import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { once } from '../once.js';
import { orNull } from '../or-null.js';
import { errnoOf } from '../paths/file-failure.js';
import { bootId, findProcess } from '../processes/process-table.js';

/** The name of a file that is being written, until it is complete and gets its own. */
export const temporaryName = (): string => `.countersign-${randomBytes(8).toString('hex')}.tmp`;
const TEMPORARY = /^\.countersign-[0-9a-f]{16}\.tmp$/;

/**
 * Notes that this process is about to write a temporary file, in a directory that all sessions share: a process that is
 * killed cannot remove the file, and nobody would find it again in a large workspace. Returns what removes the note.
 */
export function noteUnfinished(notes: string, temporary: string): () => void {
  const note = join(notes, `${thisProcess()}-${randomBytes(8).toString('hex')}`);
  const write = () => writeFileSync(note, temporary, { flag: 'wx', mode: 0o600 });
  try {
    write();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    mkdirSync(notes, { recursive: true, mode: 0o700 });
    write();
  }
  return () => rmSync(note, { force: true });
}

/** Removes the temporary files that dead processes have left. What cannot be removed now is tried again later. */
export function removeUnfinished(notes: string): void {
  for (const name of orNull(() => readdirSync(notes)) ?? []) {
    if (isOfLivingProcess(name)) continue;
    orNull(() => {
      const temporary = readFileSync(join(notes, name), 'utf8');
      // A note may say anything: only a file that we name so is removed, and no directory or link.
      const isOurs = TEMPORARY.test(basename(temporary));
      if (isOurs && lstatSync(temporary, { throwIfNoEntry: false })?.isFile()) rmSync(temporary);
      rmSync(join(notes, name));
    });
  }
}

const thisProcess = once((): string => nameOf(process.pid));

/** Ids of processes are used again, so its start and the run of the machine belong to it. */
const nameOf = (pid: number): string =>
  `${pid}-${findProcess(pid)?.started ?? ''}-${bootId().replaceAll('-', '')}`;

function isOfLivingProcess(note: string): boolean {
  const [, whole, pid] = /^((\d+)-\d*-[0-9a-f]*)-[0-9a-f]{16}$/.exec(note) ?? [];
  if (whole === undefined || pid === undefined) return false;
  return bootId() === '' ? isRunning(Number(pid)) : nameOf(Number(pid)) === whole;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
