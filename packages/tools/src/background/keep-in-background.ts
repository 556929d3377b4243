import { setTimeout as delay } from 'node:timers/promises';
import { type RunContext } from '@countersign/engine';
import { type CommandLimits, follow, type RunningCommand, shownOutput } from '@countersign/host';
import { ToolFailure, type ToolResult } from '@countersign/protocol';
import { lines, NOTHING_ENDED, resultOf, stopInWords } from '../confined-command/command-result.js';
import { keptConfinement } from '../confined-command/kept-confinement.js';
import { entries, isRunning, lookInto, remember } from './registry.js';

const RUNNING_MAX = 32; // more would be an accident

/** Refuses one more if there are many already. */
export async function makeRoom(sessionDirectory: string): Promise<void> {
  const running: number[] = [];
  for (const entry of entries(sessionDirectory)) if (await isRunning(entry)) running.push(entry.pid);
  if (running.length < RUNNING_MAX) return;
  throw new ToolFailure({
    code: 'execution_failed',
    message: `${RUNNING_MAX} background processes are already running, which is the limit. Stop one first: ${running.join(', ')}.`,
  });
}

export type BackgroundOptions = {
  readonly text: string;
  /** How long to wait for its first output. */
  readonly delayMs: number;
  readonly limits: CommandLimits;
};

/** Leaves a command running, known to its session by its process id. */
export async function keepInBackground(
  command: RunningCommand,
  { text, delayMs, limits }: BackgroundOptions,
  { sessionDirectory, directory, signal, process }: RunContext,
): Promise<ToolResult> {
  const pid = await pidOf(command);
  const entry = { pid, command: text, keptIn: directory, startedAt: command.startedAt };
  try {
    remember(sessionDirectory, entry);
  } catch (error) {
    // A process that could not be found again may not continue.
    await command.end();
    command.close();
    throw error;
  }
  guard(command, limits, (why) => remember(sessionDirectory, { ...entry, stopped: why }));
  process(pid);
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
  return lookInto(entry, async (found) => {
    if (signal.aborted) {
      const ended = await found.command.end();
      return resultOf(found.command, { type: 'stopped', why: { type: 'cancelled' }, ended });
    }
    return found.type === 'running'
      ? startedResult(found.command, pid)
      : resultOf(found.command, { ...found, ended: NOTHING_ENDED });
  });
}

const PID_LOOKS_MAX = 250;
const PID_LOOKS_APART_MS = 4; // its leader needs about as long to start it, a sandbox twice that, a busy machine far longer

/** The process id that a model or a person would give to `kill`. */
async function pidOf(command: RunningCommand): Promise<number> {
  for (
    let look = 0;
    look < PID_LOOKS_MAX && command.commandPid() === null && command.isLeaderAlive();
    look += 1
  )
    await delay(PID_LOOKS_APART_MS);
  return command.pid;
}

/** While this process has the session, a command in the background keeps to its limits too. */
function guard(command: RunningCommand, limits: CommandLimits, onStop: (why: string) => void): void {
  command.unref();
  const signal = new AbortController().signal;
  follow(command, { limits, signal, manner: 'unwatched' })
    .then((ending) => {
      if (ending.type === 'stopped') onStop(stopInWords(ending.why));
    })
    // The session may have been deleted by then, with its directory; then there is no record to update.
    .catch(() => undefined)
    .finally(() => command.close());
}

function startedResult(command: RunningCommand, pid: number): ToolResult {
  const started = `Started in the background as process ${pid}.`;
  const next = `read_background_output with pid ${pid} shows its output; stop_background_process stops it.`;
  const isAlone = keptConfinement(command.files.directory)?.profile.network === 'blocked';
  const alone = isAlone ? '[It runs in the sandbox: programs outside cannot connect to it.]' : '';
  const shown = lines(lines(started, shownOutput(command)), alone);
  return { llmContent: lines(shown, `[${next}]`), returnDisplay: shown };
}
