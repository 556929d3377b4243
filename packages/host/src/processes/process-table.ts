import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { once } from '../once.js';
import { orNull } from '../or-null.js';

/** A process for certain: ids are used again, but not with the same start time. */
export type Process = {
  readonly pid: number;
  readonly started: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
};

/** All processes of one command: those of its session, those that carry its tag, and whatever descends from them. */
export type ProcessTree = {
  readonly tag: string;
  /** The leader of its session, which is not counted; null where its id may belong to another process by now. */
  readonly leader: number | null;
  /** An argument by which those are known that only wait for the command, and end when it has. Absent: there are none. */
  readonly supervisors?: string;
};

/** Where the system has no table of processes, all that is known of a command is its process group. */
export const isProcessTableKnown = (): boolean => bootId() !== '';

/** Names this run of the machine; empty where the system has no name for it. */
export const bootId = once((): string => read('/proc/sys/kernel/random/boot_id')?.trim() ?? '');

/** null if no such process runs. A zombie runs no more. */
export function findProcess(pid: number): Process | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may hold anything, even `) Z 1`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return null;
  return {
    pid,
    started: fields[START_TIME_AFTER_NAME] ?? '',
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

/** Field 22 of /proc/<pid>/stat, counted from the one after the name (field 3). */
const START_TIME_AFTER_NAME = 22 - 3;

export const isStillThere = ({ pid, started }: Process): boolean => findProcess(pid)?.started === started;

const TICKS_MS = 10; // USER_HZ, in which /proc counts, is 100 on every Linux

/** Milliseconds since a process was started, by the clock of the system's boot; null where that is not known. */
export function ageOf(pid: number): number | null {
  const process = findProcess(pid);
  const uptimeMs = Number(read('/proc/uptime')?.split(' ')[0]) * 1_000;
  const age = uptimeMs - Number(process?.started ?? Number.NaN) * TICKS_MS;
  // A container may show the time since its own boot, which is shorter.
  return age >= -TICKS_MS ? Math.max(0, age) : null;
}

/** The arguments a process was started with, separated by NUL; empty if there is no such process. */
export const commandLineOf = (pid: number): string => read(`/proc/${pid}/cmdline`) ?? '';

/** The first child of a process; null if it has none or the system does not show them. */
export function firstChildOf(pid: number): number | null {
  const [first] = read(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ') ?? [];
  return first ? Number(first) : null;
}

const LOOKS_AT_CHANGING = 10; // a program is loaded in far less than a millisecond, and may load another
const LOOKED_AT_ONCE = 64; // a look takes some 40 µs: few enough that other work does not wait long

/** Everything that runs for a command. */
export async function membersOf(tree: ProcessTree): Promise<Process[]> {
  const all: Process[] = [];
  const members = new Map<number, Process>();
  let changing: Process[] = [];
  for (const [index, name] of readdirSync('/proc').entries()) {
    if (index % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate();
    const process = /^\d+$/.test(name) ? findProcess(Number(name)) : null;
    if (process === null || process.pid === tree.leader) continue;
    all.push(process);
    const part = partOf(process, tree);
    if (part === 'tree') members.set(process.pid, process);
    if (part === 'changing') changing.push(process);
  }
  for (let look = 0; look < LOOKS_AT_CHANGING && changing.length > 0; look += 1) {
    await delay(1);
    changing = changing.filter((process) => {
      const part = partOf(process, tree);
      if (part === 'tree') members.set(process.pid, process);
      return part === 'changing';
    });
  }
  for (let before = -1; before < members.size; ) {
    before = members.size;
    for (const process of all) if (members.has(process.parent)) members.set(process.pid, process);
  }
  return [...members.values()];
}

const NEW_PROCESSES_MAX = 64; // beyond this, looking at all of them is no slower
const COMMAND_MS_MAX = 1_000; // in less time the process ids of a machine do not come round again

/**
 * The same for a command that began a moment ago and whose leader just ended.
 * Only processes with ids assigned since then are examined: for a quick command,
 * hardly any.
 */
export async function leftBy(
  leader: number,
  tag: string,
  ranMs: number,
  supervisors?: string,
): Promise<Process[]> {
  const tree: ProcessTree = { tag, leader, ...(supervisors !== undefined && { supervisors }) };
  const newest = Number(read('/proc/loadavg')?.trim().split(' ').at(-1));
  const isQuick = ranMs < COMMAND_MS_MAX && newest >= leader && newest - leader <= NEW_PROCESSES_MAX;
  if (!isQuick) return membersOf(tree);
  for (let pid = leader + 1; pid <= newest; pid += 1) {
    // Most have ended, and reading a missing file costs more than this check.
    const process = existsSync(`/proc/${pid}`) ? findProcess(pid) : null;
    if (process === null || partOf(process, tree) === null) continue;
    // A supervisor without a child is about to exit.
    if (!isSupervisor(process, tree) || firstChildOf(pid) !== null) return membersOf(tree);
  }
  return [];
}

/** Whether a process only waits for others of its tree. */
export const isSupervisor = ({ pid }: Process, { supervisors }: ProcessTree): boolean =>
  supervisors !== undefined && commandLineOf(pid).split('\0').includes(supervisors);

/** `changing`: a process has no environment while it becomes another program. Those of the kernel never have one. */
function partOf({ pid, parent, session }: Process, { tag, leader }: ProcessTree): 'tree' | 'changing' | null {
  if (session === leader) return 'tree';
  const environment = read(`/proc/${pid}/environ`);
  if (environment === '') return pid === KERNEL || parent === KERNEL ? null : 'changing';
  return environment?.includes(tag) ? 'tree' : null;
}

const KERNEL = 2;

/** The content of a file of the system; null if it does not exist, or may not be read. Paths in it are UTF-8. */
const read = (path: string): string | null => orNull(() => readFileSync(path, 'utf8'));
