import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../paths/file-failure.js';
import { callOff, commandFiles, pidFileOf } from './command-files.js';
import { findCommand } from './find-command.js';

/**
 * Ends every command that calls of a session left running, with all processes that they started, and makes sure that none
 * begins which has not announced itself. For a session that no process works on. Returns how many were running.
 */
export async function endCommands(sessionDirectory: string): Promise<number> {
  const ended = await Promise.all(
    directoriesIn(sessionDirectory).map((name) => endCommand(join(sessionDirectory, name))),
  );
  return ended.filter((wasRunning) => wasRunning).length;
}

async function endCommand(directory: string): Promise<boolean> {
  // Only calls that began a command have such a file.
  if (!namesIn(directory).some((name) => name.startsWith('pid-'))) return false;
  const found = findCommand(directory, 0);
  if (found.type === 'silent') {
    callOff(pidFileOf(commandFiles(directory), found.number));
    return false;
  }
  try {
    // A command that has ended may have left processes, too.
    const { count } = await found.command.end();
    return found.type === 'running' || count > 0;
  } finally {
    found.command.close();
  }
}

const directoriesIn = (path: string): readonly string[] =>
  reading(() => readdirSync(path, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const namesIn = (path: string): readonly string[] => reading(() => readdirSync(path));

function reading<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
