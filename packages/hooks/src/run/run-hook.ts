import { randomUUID } from 'node:crypto';
import { EVENTS } from '../hook/events.js';
import type { HookAnswer, HookDefinition, HookFailure, HookOutcome, HookRun } from '../hook/hook.js';
import { doubtsAbout } from '../trust/doubts.js';
import { cut } from './describe-failure.js';
import type { HookContext } from './hook-context.js';
import { hookCommand, hookEnvironment } from './hook-environment.js';
import { type Ended, notRun, runProcess } from './hook-process.js';
import { NO_OPINION, readAnswer } from './read-answer.js';

/**
 * Runs one hook on this input. It always has an outcome, within its time limit. `stopped` receives
 * the tag of the processes if it did not end by itself.
 */
export async function runHook(
  hook: HookDefinition,
  input: object,
  context: HookContext,
  stopped: (tag: string) => void,
): Promise<HookRun> {
  const tag = `countersign-${randomUUID()}`;
  const begunAt = performance.now();
  const doubts = await doubtsAbout(hook, context.workspace, context.trusted);
  const ended = doubts
    ? notRun(doubts)
    : await runProcess({
        command: hookCommand(hook.command, context),
        directory: context.workspace,
        environment: hookEnvironment(hook, context, tag),
        input: JSON.stringify(input),
        timeoutMs: hook.timeoutMs,
        begunAt,
        signal: context.signal,
        stopped: () => stopped(tag),
      });
  const { name, source, file, path, command } = hook;
  const outcome = outcomeOf(ended, hook);
  const isSecret = outcome.type === 'answered' && outcome.answer.suppressOutput;
  return {
    hook: { name, source, file, path, command },
    durationMs: Math.round(performance.now() - begunAt),
    outcome,
    log: isSecret ? '' : ended.stderr,
    leftRunning: ended.leftRunning,
  };
}

/** The exit code by which a hook refuses. */
const REFUSAL = 2;

/**
 * What the end of a hook means. Exit code 1, a warning in Gemini CLI, is a failure here like any other but 2: it is what
 * interpreters end with when a script breaks, and a guard that broke has not looked.
 */
function outcomeOf(
  { end, stdout, stderr }: Ended,
  { event, output, onFailure }: HookDefinition,
): HookOutcome {
  const failed = (failure: HookFailure): HookOutcome => ({ type: 'failed', failure, onFailure });
  const answered = (answer: HookAnswer): HookOutcome => ({ type: 'answered', answer });
  if (end.type === 'failed') return failed(end.failure);
  const reading = readAnswer(stdout, stderr);
  const answer = reading.type === 'answer' ? reading.answer : null;
  const words = stderr.trim() || (answer === null ? beginningOf(stdout) : '');
  if (end.code === REFUSAL) {
    return answered({
      ...(answer ?? NO_OPINION),
      decision: 'deny',
      reason: answer?.reason ?? (words || null),
    });
  }
  if (end.code !== 0) {
    const isRefusal = answer !== null && (answer.decision === 'deny' || answer.stop !== null);
    return isRefusal ? answered(answer) : failed({ how: 'exited', code: end.code, text: words });
  }
  if (reading.type === 'nonsense') return failed({ how: 'nonsense', problem: reading.problem });
  // A process that still held its output may have been about to print the answer: `exec > >(tee log)` prints through such a process.
  if (answer === null && !end.isAllRead) return failed({ how: 'nonsense', problem: HELD });
  if (reading.type === 'text')
    return output === 'json' || EVENTS[event].plainText === 'invalid'
      ? failed({ how: 'nonsense', problem: reading.problem })
      : answered({ ...NO_OPINION, systemMessage: cut(reading.text, MESSAGE_CHARS_MAX) });
  return answered(answer ?? NO_OPINION);
}

const HELD =
  'it has no JSON object, and a process that it left running still held its output (redirect the output of background processes)';

const MESSAGE_CHARS_MAX = 2_000; // a user reads a message; a longer one is a log
const WORDS_BYTES_MAX = 16_384; // a reason longer than this is a log
const beginningOf = (stdout: Buffer) => stdout.toString('utf8', 0, WORDS_BYTES_MAX).trim();
