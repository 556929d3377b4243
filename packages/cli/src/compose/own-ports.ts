import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDirectory } from '../options/places.js';

/** A fixed port, so that bookmarks work and browsers stay signed in. */
export const DEFAULT_PORT = 7446;

/** One file per running server, named by its process id, so that other sessions know its port. */
const directoryOf = (env: NodeJS.ProcessEnv): string => join(configDirectory(env), 'serving');

/** Records the port of this process, and returns how to remove the record. A failure is ignored. */
export function notePort(port: number, env: NodeJS.ProcessEnv): () => void {
  const file = join(directoryOf(env), String(process.pid));
  try {
    mkdirSync(directoryOf(env), { recursive: true, mode: 0o700 });
    writeFileSync(file, String(port), { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** The usual port, and those of servers that are running. */
export function portsInUse(env: NodeJS.ProcessEnv): readonly number[] {
  const directory = directoryOf(env);
  const noted = namesIn(directory)
    .filter(isRunning)
    .map((name) => Number(textOf(join(directory, name))));
  return [...new Set([DEFAULT_PORT, ...noted.filter((port) => Number.isInteger(port) && port > 0)])];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (thrown) {
    // A process of another user runs, too.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
