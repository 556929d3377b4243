import { type ChildProcess, spawn } from 'node:child_process';
import type { EditorCommand } from './editor-command.js';

/** Between asking an editor to close and ending it: long enough to save its state. */
const STOP_GRACE_MS = 2_000;
/** Enough of what an editor complains about to know what to do. */
const COMPLAINT_CHARS_MAX = 500;
/** The exit code of a shell that does not find a command. */
const NOT_FOUND = 127;

/** Opens an editor and waits until it is closed. What went wrong, or null. */
export async function runEditor(
  { name, program, args, where }: EditorCommand,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<string | null> {
  if (signal.aborted) return `${name} was not opened, because the call was cancelled`;
  const child = spawn(program, args, {
    env,
    stdio: where === 'terminal' ? 'inherit' : ['ignore', 'ignore', 'pipe'],
  });
  const complaint = complaintOf(child);
  const stop = () => endGently(child);
  signal.addEventListener('abort', stop);
  try {
    const { code, killedBy } = await ended(child);
    if (signal.aborted) return `${name} was closed, because the call was cancelled`;
    if (killedBy !== null) return `${name} was terminated by ${killedBy}`;
    if (code === 0) return null;
    const words = complaint();
    return code === NOT_FOUND && program === '/bin/sh'
      ? notFound(name)
      : `${name} ended with code ${code}${words === '' ? '' : ` (${words})`}`;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing) return notFound(name);
    return `${name} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const notFound = (name: string): string =>
  `${name} was not found; install it, or set VISUAL to another editor`;

type Ended = { readonly code: number | null; readonly killedBy: NodeJS.Signals | null };

const ended = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not 'close': what a window editor leaves running behind keeps its output open.
    child.once('exit', (code, killedBy) => resolve({ code, killedBy }));
  });

function complaintOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < COMPLAINT_CHARS_MAX) text += chunk;
  });
  return () => text.trim().slice(0, COMPLAINT_CHARS_MAX);
}

function endGently(child: ChildProcess): void {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  child.once('exit', () => clearTimeout(timer));
}
