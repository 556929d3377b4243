import type { Failure } from '@countersign/protocol';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from '../provider.js';

const never = new AbortController().signal;

/** A request that says only what a test is about. */
export const requestOf = (more: Partial<ModelRequest>): ModelRequest => ({
  model: 'model-1',
  system: '',
  contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
  declarations: [],
  ...more,
});

/** Every event of a provider's response. */
export async function eventsFrom(
  provider: Provider,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = never,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(requestOf(request), signal)) events.push(event);
  return events;
}

export type Finished = Extract<ModelEvent, { type: 'finished' }>;

/** The last event. */
export async function finishedBy(provider: Provider, request: Partial<ModelRequest> = {}): Promise<Finished> {
  const last = (await eventsFrom(provider, request)).at(-1);
  if (last?.type !== 'finished') throw new Error(`the last event is ${JSON.stringify(last)}`);
  return last;
}

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error.failure;
  throw new Error(`expected a failure of the model, not ${String(error)}`);
}
