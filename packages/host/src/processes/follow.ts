import type { Exit } from './command-files.js';
import type { Ended } from './end-tree.js';
import { measureOutput } from './output.js';
import type { RunningCommand } from './running-command.js';

/** Why a command runs no longer, and what had to be ended with it. */
export type Ending = Outcome & { readonly ended: Ended };

export type Outcome =
  | { readonly type: 'exited'; readonly exit: Exit }
  /** It runs no more, and how it ended is not known. */
  | { readonly type: 'lost'; readonly evidence: string }
  | { readonly type: 'stopped'; readonly why: Stop };

export type Stop =
  | { readonly type: 'cancelled' }
  | { readonly type: 'out of time'; readonly afterMs: number }
  | { readonly type: 'silent'; readonly afterMs: number }
  | { readonly type: 'too much output'; readonly bytes: number; readonly bytesMax: number };

export type CommandLimits = {
  /** null for as long as it likes. */
  readonly totalMs: number | null;
  /** How long it may print nothing; null for as long as it likes. */
  readonly idleMs: number | null;
  readonly outputBytesMax: number;
};

export type Following = {
  readonly limits: CommandLimits;
  readonly signal: AbortSignal;
  /** 'unwatched': the program may end meanwhile, and looks are far apart. */
  readonly manner: 'watched' | 'unwatched';
  /** Called once if it has not ended by the time of the first look. */
  readonly onFirstLook?: () => void;
  /** Called when there is more output than before, at most every 100 ms. */
  readonly onOutput?: (bytes: number) => void;
};

const LOOKS_APART_MS = { watched: 100, unwatched: 1_000 };

/** Stays with a command until it ends or has to be ended, and leaves nothing of it running. */
export async function follow(command: RunningCommand, following: Following): Promise<Ending> {
  const outcome = await untilOver(command, following).catch(async (error: unknown) => {
    await command.end();
    throw error;
  });
  if (outcome.type === 'exited') return { ...outcome, ended: await command.endLeftovers() };
  return { ...outcome, ended: await command.end() };
}

function untilOver(command: RunningCommand, following: Following): Promise<Outcome> {
  const { signal, manner } = following;
  if (signal.aborted) return Promise.resolve({ type: 'stopped', why: { type: 'cancelled' } });
  return new Promise((resolve, reject) => {
    const look = lookingAt(command, following);
    const settle = (outcome: Outcome | null) => {
      if (outcome === null) return;
      clearInterval(timer);
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const cancel = () => settle({ type: 'stopped', why: { type: 'cancelled' } });
    const lookAgain = () => {
      try {
        settle(look());
      } catch (error) {
        clearInterval(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const timer = setInterval(lookAgain, LOOKS_APART_MS[manner]);
    if (manner === 'unwatched') timer.unref();
    signal.addEventListener('abort', cancel);
    command.onLeaderEnd(lookAgain);
  });
}

/** One look after another: null as long as the command may continue. */
function lookingAt(
  command: RunningCommand,
  { limits, onFirstLook, onOutput }: Following,
): () => Outcome | null {
  let bytesBefore: number | null = null;
  // Counted from here for a command that was found: the time of day, which its files bear, may have been set.
  let changedAt = performance.now();
  let isEnding = false;
  return () => {
    const isAlive = command.isLeaderAlive();
    const exit = command.readExit();
    // A leader that has written the exit code goes at once, unless it waits for output that others still hold open.
    if (exit !== null && (!isAlive || isEnding)) return overBy(command, exit, limits);
    if (exit === null && !isAlive) return { type: 'lost', evidence: command.evidence() };
    isEnding = exit !== null;
    const { bytes } = measureOutput(command.output);
    if (bytesBefore === null) onFirstLook?.();
    if (bytes !== (bytesBefore ?? 0)) onOutput?.(bytes);
    if (bytes !== bytesBefore) changedAt = performance.now();
    bytesBefore = bytes;
    const why = stopOf(limits, { bytes, ranMs: command.ranMs, idleMs: performance.now() - changedAt });
    return why && { type: 'stopped', why };
  };
}

/** How a command ended that wrote down an exit code: one whose output has reached the limit was ended by that. */
export function overBy(
  { output }: Pick<RunningCommand, 'output'>,
  exit: Exit,
  { outputBytesMax: bytesMax }: Pick<CommandLimits, 'outputBytesMax'>,
): Outcome {
  const { bytes } = measureOutput(output);
  return bytes >= bytesMax
    ? { type: 'stopped', why: { type: 'too much output', bytes, bytesMax } }
    : { type: 'exited', exit };
}

type Measured = { readonly bytes: number; readonly ranMs: number; readonly idleMs: number };

function stopOf({ totalMs, idleMs, outputBytesMax }: CommandLimits, measured: Measured): Stop | null {
  const { bytes } = measured;
  if (bytes >= outputBytesMax) return { type: 'too much output', bytes, bytesMax: outputBytesMax };
  if (totalMs !== null && measured.ranMs >= totalMs) return { type: 'out of time', afterMs: totalMs };
  if (idleMs !== null && measured.idleMs >= idleMs) return { type: 'silent', afterMs: idleMs };
  return null;
}
