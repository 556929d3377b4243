import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf, type Found, findCommand, once } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import * as z from 'zod';

const entry = once(() =>
  z.strictObject({
    pid: z.int(),
    command: z.string(),
    /** The directory of the call that started it. */
    keptIn: z.string(),
    startedAt: z.number(),
    /** Why it was ended by a limit of ours. */
    stopped: z.string().optional(),
  }),
);
/** A command that a session left running. On disk, so that a process that resumes the session after a crash knows it too. */
export type Entry = z.output<ReturnType<typeof entry>>;

export function remember(sessionDirectory: string, entry: Entry): void {
  const directory = registryOf(sessionDirectory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Named after the call, which may be resumed: it is still the same process.
  const path = join(directory, `${basename(entry.keptIn)}.json`);
  writeFileSync(path, JSON.stringify(entry), { mode: 0o600 });
}

/** Oldest first; those of which nothing is left on disk are forgotten. */
export function entries(sessionDirectory: string): Entry[] {
  const directory = registryOf(sessionDirectory);
  return namesIn(directory)
    .flatMap((name) => entryIn(join(directory, name)) ?? [])
    .filter(({ keptIn }) => existsSync(keptIn))
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** The latest with this process id. */
export function entryOf(sessionDirectory: string, pid: number): Entry {
  const all = entries(sessionDirectory);
  const entry = all.findLast((each) => each.pid === pid);
  if (entry) return entry;
  throw new ToolFailure({ code: 'unknown_process', pid, known: all.map((each) => each.pid) });
}

export type FoundOut = Exclude<Found, { type: 'silent' }>;

/** Lets `work` see what became of it. */
export async function lookInto<T>(entry: Entry, work: (found: FoundOut) => T | Promise<T>): Promise<T> {
  const found = findCommand(entry.keptIn, entry.startedAt);
  // It was recorded after it had started: its files are missing only if they were removed.
  if (found.type === 'silent')
    throw new ToolFailure({ code: 'command_lost', evidence: `${entry.keptIn} has no files of it` });
  try {
    return await work(found);
  } finally {
    found.command.close();
  }
}

export const isRunning = (entry: Entry): Promise<boolean> =>
  lookInto(entry, ({ type }) => type === 'running');

/** Ends whatever a session left running. A command that has ended may have left something, too. */
export async function endAll(sessionDirectory: string): Promise<void> {
  await Promise.all(
    entries(sessionDirectory).map((entry) => lookInto(entry, ({ command }) => command.end())),
  );
}

const registryOf = (sessionDirectory: string) => join(sessionDirectory, 'background');

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** null for one that is incomplete after a crash; its call is resumed, and writes it again. */
function entryIn(path: string): Entry | null {
  try {
    const parsed = entry().safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
