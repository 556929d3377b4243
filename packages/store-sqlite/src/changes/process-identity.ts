import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Which process, for certain: process ids are used again, so the start time
 * belongs to it, and start times are counted from a boot, so that does too.
 */
export type ProcessIdentity = { readonly pid: number; readonly started: string; readonly boot: string };

let self: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  self ??= { pid: process.pid, started: startOf(process.pid) ?? '', boot: bootId() };
  return self;
}

/** Whether that very process still runs. A zombie does nothing any more and counts as dead. */
export function isAlive(process: ProcessIdentity): boolean {
  const self = thisProcess();
  if (process.boot !== self.boot) return false;
  if (process.pid === self.pid && process.started === self.started) return true;
  const started = startOf(process.pid);
  if (started === null) return false;
  // Where start times are not available, a process with that id is taken for the same.
  return started === '' || process.started === '' || started === process.started;
}

/** When the process with this id started, in whatever words the system has for it; null if none runs. */
function startOf(pid: number): string | null {
  if (bootId() !== '') return startFromProc(pid);
  try {
    return startFromPs(pid);
  } catch {
    return existsBySignal(pid) ? '' : null;
  }
}

function startFromProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may hold anything, even `) Z 1`.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  return fields[START_TIME_AFTER_STATE] ?? '';
}

/** Field 22 of /proc/<pid>/stat, counted from the one after the state (field 3). */
const START_TIME_AFTER_STATE = 22 - 4;

function startFromPs(pid: number): string | null {
  const line = runPs(pid).trim();
  if (line === '') return null;
  const [state = '', ...start] = line.split(/\s+/);
  return state.startsWith('Z') ? null : start.join(' ');
}

function runPs(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // `ps` says "no such process" by its exit code; anything else means there is no usable `ps`.
    if (error instanceof Error && 'status' in error && error.status === 1) return '';
    throw error;
  }
}

function existsBySignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

let boot: string | undefined;

/** Empty where the system has none; there, start times are dates and need no boot. */
function bootId(): string {
  boot ??= readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return boot;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
