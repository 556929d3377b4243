import type { Failure, JsonObject } from '@countersign/protocol';
import { pause } from '../pause.js';
import {
  type FinishReason,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type Part,
  type Provider,
  type Usage,
} from '../provider.js';

/** What a scripted model says or does next. */
export type ScriptedStep =
  | { readonly text: string }
  | { readonly thought: string }
  | { readonly call: string; readonly args?: JsonObject; readonly id?: string }
  | { readonly badCall: string; readonly problem: string; readonly id?: string }
  | { readonly delayMs: number }
  /** The answer breaks off here. */
  | { readonly fail: Failure }
  | { readonly usage: Usage }
  /** How it ends; absent: with calls if there were any, or else well. */
  | { readonly finish: FinishReason; readonly message?: string };

export type ScriptedAnswer =
  | readonly ScriptedStep[]
  | ((request: ModelRequest) => readonly ScriptedStep[] | Promise<readonly ScriptedStep[]>);

/** One answer for each request, in order. A single function answers all. */
export type Script = readonly ScriptedAnswer[] | Extract<ScriptedAnswer, (request: ModelRequest) => unknown>;

export type ScriptedProvider = Provider & {
  /** What was asked so far. */
  readonly requests: readonly ModelRequest[];
};

const NAME = 'The script';

/** A model for tests and demonstrations. */
export function scriptedProvider(script: Script): ScriptedProvider {
  const requests: ModelRequest[] = [];
  return {
    name: NAME,
    requests,
    async *stream(request, signal) {
      requests.push(request);
      const answer = typeof script === 'function' ? script : script[requests.length - 1];
      if (answer === undefined) throw usedUp(requests.length);
      yield* play(typeof answer === 'function' ? await answer(request) : answer, request, signal);
    },
  };
}

async function* play(
  steps: readonly ScriptedStep[],
  { model }: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const parts: Part[] = [];
  let usage: Usage | null = null;
  let reason: FinishReason = 'stop';
  let message: string | null = null;
  for (const step of steps) {
    signal.throwIfAborted();
    if ('delayMs' in step) await pause(step.delayMs, signal);
    else if ('fail' in step) throw new ModelError(step.fail);
    else if ('usage' in step) usage = step.usage;
    else if ('finish' in step) {
      reason = step.finish;
      message = step.message ?? null;
    } else {
      const { part, event } = said(step);
      if (event.type === 'call' || event.type === 'bad_call') reason = 'calls';
      parts.push(part);
      yield event;
    }
  }
  signal.throwIfAborted();
  yield { type: 'finished', reason, said: reason, message, content: { role: 'model', parts }, usage, model };
}

type Saying = Extract<
  ScriptedStep,
  | { readonly text: string }
  | { readonly thought: string }
  | { readonly call: string }
  | { readonly badCall: string }
>;

function said(step: Saying): { readonly part: Part; readonly event: ModelEvent } {
  if ('text' in step) return { part: { text: step.text }, event: { type: 'text', text: step.text } };
  if ('thought' in step) {
    return { part: { text: step.thought, thought: true }, event: { type: 'thought', text: step.thought } };
  }
  const id = step.id ?? null;
  const ofCall = (name: string, args: JsonObject): Part => ({
    functionCall: { ...(id !== null && { id }), name, args },
  });
  if ('badCall' in step) {
    const { badCall: name, problem } = step;
    return { part: ofCall(name, {}), event: { type: 'bad_call', id, name, problem } };
  }
  const { call: name, args = {} } = step;
  return { part: ofCall(name, args), event: { type: 'call', id, name, args } };
}

function usedUp(asked: number): ModelError {
  const message = `it has ${asked - 1} responses, and this is request ${asked}.`;
  return new ModelError({ code: 'model_rejected', provider: NAME, status: null, message });
}
