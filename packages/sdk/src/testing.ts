/** For programs that embed Countersign and want to test what they built: a scripted model and handlers that record. */
import type { JsonObject } from '@countersign/protocol';
import type {
  AllToolCallsCompleteHandler,
  CompletedToolCall,
  ConfirmHandler,
  OutputUpdateHandler,
  Status,
  ToolCall,
  ToolCallRequestInfo,
  ToolCallsUpdateHandler,
} from './types/call-types.js';
import type { ToolConfirmationOutcome } from './types/enums.js';

/**
 * A call in a script; without an id it gets one from its position.
 *
 * @example
 * ```ts
 * const call: ScriptedCall = { name: 'glob', args: { pattern: '*.ts' } };
 * ```
 */
export type ScriptedCall = {
  readonly name: string;
  readonly args?: JsonObject;
  readonly callId?: string;
  readonly prompt_id?: string;
};

/**
 * A step of a script: the model requests calls, or sends text.
 *
 * @example
 * ```ts
 * const steps: ScriptStep[] = [{ calls: [{ name: 'read_file', args: { file_path: 'a.txt' } }] }, { text: 'Done.' }];
 * ```
 */
export type ScriptStep = { readonly calls: readonly ScriptedCall[] } | { readonly text: string };

/**
 * A step as `next()` returns it: every call has its id.
 *
 * @example
 * ```ts
 * const ids = (turn: ScriptedTurn) => ('calls' in turn ? turn.calls.map(({ callId }) => callId) : []);
 * ```
 */
export type ScriptedTurn = { readonly calls: readonly ToolCallRequestInfo[] } | { readonly text: string };

/**
 * A model that follows a script and records the results that it receives.
 *
 * @example
 * ```ts
 * const model: ScriptedModel = scriptedModel([{ text: 'Hello.' }]);
 * show(model.next());
 * ```
 */
export type ScriptedModel = {
  /** The next step; undefined at the end. Throws while results of the step before are still owed. */
  next(): ScriptedTurn | undefined;
  /** Passes the results of the calls last requested, one for each, in their order. */
  give(results: readonly CompletedToolCall[]): void;
  /** What it was given, batch by batch. */
  readonly results: readonly (readonly CompletedToolCall[])[];
  /** The texts it has sent so far. */
  readonly texts: readonly string[];
};

/**
 * Makes a model that follows `steps`, one for each `next()`.
 *
 * @example
 * ```ts
 * const model = scriptedModel([{ calls: [{ name: 'list_directory', args: { dir_path: '.' } }] }, { text: 'Done.' }]);
 * await runScript(scheduler, model, { signal });
 * ```
 */
export function scriptedModel(steps: readonly ScriptStep[]): ScriptedModel {
  const results: (readonly CompletedToolCall[])[] = [];
  const texts: string[] = [];
  let at = 0;
  let owed: readonly string[] = [];
  return {
    results,
    texts,
    next() {
      if (owed.length > 0)
        throw new Error(`The model is still waiting for the results of: ${owed.join(', ')}.`);
      const step = steps[at];
      if (step === undefined) return undefined;
      at += 1;
      if ('text' in step) {
        texts.push(step.text);
        return step;
      }
      const calls = step.calls.map((call, index) => requestOf(call, at, index));
      owed = calls.map(({ callId }) => callId);
      return { calls };
    },
    give(completed) {
      const given = completed.map(({ request }) => request.callId);
      if (given.join('\n') !== owed.join('\n')) {
        throw new Error(
          `The model expected results of [${owed.join(', ')}] and received [${given.join(', ')}].`,
        );
      }
      owed = [];
      results.push(completed);
    },
  };
}

/**
 * The part of a scheduler that a script needs: `schedule` that resolves with the completed calls, as `Scheduler`'s does.
 *
 * @example
 * ```ts
 * const driven: SchedulesToCompletion = scheduler;
 * ```
 */
export type SchedulesToCompletion = {
  schedule(
    requests: readonly ToolCallRequestInfo[],
    signal: AbortSignal,
  ): Promise<readonly CompletedToolCall[]>;
};

/**
 * The result of a script.
 *
 * @example
 * ```ts
 * const isComplete = ({ ended }: ScriptOutcome) => ended === 'script';
 * ```
 */
export type ScriptOutcome = Pick<ScriptedModel, 'results' | 'texts'> & {
  /** 'aborted': the signal fired before the script was over. */
  readonly ended: 'script' | 'aborted';
};

/**
 * Drives a scheduler through a script, and gives the results of every batch to the model.
 *
 * @example
 * ```ts
 * const model = scriptedModel([{ calls: [{ name: 'read_file', args: { file_path: 'a.txt' } }] }, { text: 'Done.' }]);
 * const { results, texts } = await runScript(scheduler, model);
 * show(results.length, texts);
 * ```
 */
export async function runScript(
  scheduler: SchedulesToCompletion,
  model: ScriptedModel,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<ScriptOutcome> {
  while (!signal.aborted) {
    const turn = model.next();
    if (turn === undefined) return { ended: 'script', results: model.results, texts: model.texts };
    if ('text' in turn) continue;
    const completed = await scheduler.schedule(turn.calls, signal);
    if (completed.length === 0 && turn.calls.length > 0) {
      throw new Error("schedule resolved without results. Use `Scheduler`, or set resolveWhen: 'completed'.");
    }
    model.give(completed);
  }
  return { ended: 'aborted', results: model.results, texts: model.texts };
}

/**
 * A `confirmHandler` that gives every question the same answer.
 *
 * @example
 * ```ts
 * const scheduler = new Scheduler({
 *   toolRegistry: registry,
 *   confirmHandler: answerAll(ToolConfirmationOutcome.ProceedOnce),
 * });
 * ```
 */
export function answerAll(outcome: ToolConfirmationOutcome): ConfirmHandler {
  return () => Promise.resolve(outcome);
}

/**
 * One call of a handler, as it was recorded.
 *
 * @example
 * ```ts
 * const kinds = (heard: readonly Heard[]) => heard.map(({ type }) => type);
 * ```
 */
export type Heard =
  | { readonly type: 'update'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'output'; readonly callId: string; readonly text: string }
  | { readonly type: 'completed'; readonly calls: readonly CompletedToolCall[] };

/**
 * Handlers to spread into a scheduler's options, and what they recorded.
 *
 * @example
 * ```ts
 * const last = ({ completions }: RecordingHandlers) => completions.at(-1);
 * ```
 */
export type RecordingHandlers = {
  readonly handlers: {
    readonly onToolCallsUpdate: ToolCallsUpdateHandler;
    readonly outputUpdateHandler: OutputUpdateHandler;
    readonly onAllToolCallsComplete: AllToolCallsCompleteHandler;
  };
  /** Everything, in the order in which it came. */
  readonly heard: readonly Heard[];
  readonly updates: readonly (readonly ToolCall[])[];
  readonly outputs: readonly { readonly callId: string; readonly text: string }[];
  readonly completions: readonly (readonly CompletedToolCall[])[];
};

/**
 * Makes handlers that record their calls, in order.
 *
 * @example
 * ```ts
 * const recording = recordingHandlers();
 * const scheduler = new Scheduler({ toolRegistry: registry, ...recording.handlers });
 * show(statusHistory(recording.updates));
 * ```
 */
export function recordingHandlers(): RecordingHandlers {
  const heard: Heard[] = [];
  const updates: (readonly ToolCall[])[] = [];
  const outputs: { readonly callId: string; readonly text: string }[] = [];
  const completions: (readonly CompletedToolCall[])[] = [];
  return {
    heard,
    updates,
    outputs,
    completions,
    handlers: {
      onToolCallsUpdate: (calls) => {
        updates.push(calls);
        heard.push({ type: 'update', calls });
      },
      outputUpdateHandler: (callId, text) => {
        outputs.push({ callId, text });
        heard.push({ type: 'output', callId, text });
      },
      onAllToolCallsComplete: (calls) => {
        completions.push(calls);
        heard.push({ type: 'completed', calls });
      },
    },
  };
}

/**
 * The statuses of each call, by call id, as a series of updates shows them.
 *
 * @example
 * ```ts
 * const recording = recordingHandlers();
 * show(statusHistory(recording.updates)); // { a: ['validating', 'scheduled', 'executing', 'success'] }
 * ```
 */
export function statusHistory(updates: readonly (readonly ToolCall[])[]): {
  readonly [callId: string]: readonly Status[];
} {
  const histories = new Map<string, Status[]>();
  for (const { request, status } of updates.flat()) {
    const history = histories.get(request.callId) ?? [];
    histories.set(request.callId, history);
    if (history.at(-1) !== status) history.push(status);
  }
  return Object.fromEntries(histories);
}

const requestOf = ({ name, args = {}, callId, prompt_id }: ScriptedCall, step: number, index: number) => ({
  callId: callId ?? `step-${step}-call-${index + 1}`,
  name,
  args,
  ...(prompt_id !== undefined && { prompt_id }),
});
