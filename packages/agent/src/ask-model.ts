import type { CallStream } from '@countersign/engine';
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from '@countersign/models';
import type { Failure, ModelMessage, SettledCall } from '@countersign/protocol';
import type { AgentEvent, Thought } from './events.js';
import { usageOfAnswer } from './spending.js';

/** The result of one request to the model. */
export type Answered =
  | {
      readonly type: 'said';
      readonly message: ModelMessage;
      readonly finish: Finish;
      /** The results of its calls, once they have ended. */
      readonly calls: Promise<CallsOver>;
      /** Whether there was anything: words for the person, or calls. */
      readonly holds: 'calls' | 'words' | 'nothing';
    }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly failure: Failure };

type Finished = Extract<ModelEvent, { type: 'finished' }>;
/** Why the model stopped: in our words, in the provider's word, and what it added. */
export type Finish = Pick<Finished, 'reason' | 'said' | 'message'>;

export type CallsOver =
  | { readonly ok: true; readonly calls: readonly SettledCall[] }
  | { readonly ok: false; readonly failure: Failure };

export type Asking = {
  readonly stream: CallStream;
  readonly promptId: string;
  readonly signal: AbortSignal;
  /** The session is about to be left. A response that is cut off by that is not recorded: the model is asked again. */
  readonly leaving: AbortSignal;
  /** Receives what the model sends, as it arrives. */
  readonly emit: (event: AgentEvent) => void;
};

/**
 * One request to the model. Its words are passed on as they come, and its calls
 * are handed in at once, so that they are planned and judged while the response still arrives.
 */
export async function askModel(
  provider: Provider,
  request: ModelRequest,
  { stream, promptId, signal, leaving, emit }: Asking,
): Promise<Answered> {
  const begunAt = performance.now();
  const events = provider.stream(request, signal)[Symbol.asyncIterator]();
  let text = '';
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'finished') {
        const durationMs = Math.round(performance.now() - begunAt);
        void readAway(events);
        const { reason, model } = event;
        const usage = usageOfAnswer(event.usage, event.said);
        const finished = () => emit({ type: 'finished', value: { reason, usage, model, durationMs } });
        return await answered({ ...event, usage }, stream, promptId, finished);
      }
      if (event.type === 'text') text += event.text;
      handIn(event, stream, promptId);
      const mapped = agentEventOf(event);
      if (mapped) emit(mapped);
    }
    await stream.breakOff('model');
    const problem = 'its response ended without an end marker';
    return { type: 'failed', failure: { code: 'model_cut_off', provider: provider.name, problem } };
  } catch (thrown) {
    if (leaving.aborted) return { type: 'cancelled' };
    await stream.breakOff(signal.aborted ? 'person' : 'model');
    if (signal.aborted) {
      await keepWords(text, stream, request.model, promptId);
      return { type: 'cancelled' };
    }
    if (thrown instanceof ModelError) return { type: 'failed', failure: thrown.failure };
    throw thrown;
  }
}

/** A connection is kept for the next request only if its answer was read to the end; nothing waits for that. */
async function readAway(events: AsyncIterator<ModelEvent>): Promise<void> {
  try {
    while (!(await events.next()).done);
  } catch {
    // The answer is complete, however its connection ends.
  }
}

/** Listeners receive the calls before `emitFinished` reports that the list is complete. */
async function answered(
  finished: Finished,
  stream: CallStream,
  promptId: string,
  emitFinished: () => void,
): Promise<Answered> {
  const { said, content, usage, model } = finished;
  const { parts } = content;
  const message: ModelMessage = { role: 'model', parts, model, usage, finish: said, turn: null, promptId };
  const holds = whatIsIn(parts);
  if (finished.reason === 'safety') {
    await stream.handedIn();
    emitFinished();
    await stream.breakOff('model');
    if (holds === 'words') await stream.end(message);
    return { type: 'failed', failure: { code: 'answer_blocked', said, message: finished.message } };
  }
  // An answer of nothing is no part of the conversation: it would only teach the model to say nothing.
  const calls = holds === 'nothing' ? NO_CALLS : stream.end(message);
  await stream.handedIn();
  emitFinished();
  return { type: 'said', message, finish: finished, calls, holds };
}

const NO_CALLS: Promise<CallsOver> = Promise.resolve({ ok: true, calls: [] });

function whatIsIn(parts: ModelMessage['parts']): 'calls' | 'words' | 'nothing' {
  if (parts.some((part) => 'functionCall' in part)) return 'calls';
  return parts.some(isForThePerson) ? 'words' : 'nothing';
}

const isForThePerson = ({ text, thought, inlineData }: ModelMessage['parts'][number]): boolean =>
  inlineData !== undefined || (typeof text === 'string' && text.trim() !== '' && thought !== true);

/** Why an answer ended that the user stopped. */
export const STOPPED_HALFWAY = 'CANCELLED';

/** Text that was streamed before the user stopped it was shown: the model should know it, too. */
async function keepWords(text: string, stream: CallStream, model: string, promptId: string): Promise<void> {
  if (text.trim() === '' || stream.turn !== null) return;
  const parts = [{ text }];
  await stream.end({
    role: 'model',
    parts,
    model,
    usage: null,
    finish: STOPPED_HALFWAY,
    turn: null,
    promptId,
  });
}

function handIn(event: ModelEvent, stream: CallStream, promptId: string): void {
  if (event.type !== 'call' && event.type !== 'bad_call') return;
  const { id, name } = event;
  const wanted = { ...(id !== null && { callId: id }), name, origin: 'model', promptId } as const;
  if (event.type === 'call') return void stream.add({ ...wanted, args: event.args });
  const problems = [`the arguments could not be read: ${event.problem}`];
  void stream.add({ ...wanted, args: {} }, { code: 'invalid_tool_params', name, problems });
}

function agentEventOf(event: ModelEvent): AgentEvent | null {
  switch (event.type) {
    case 'text':
      return { type: 'content', value: event.text };
    case 'thought':
      return { type: 'thought', value: thoughtIn(event.text) };
    case 'retry': {
      const { attempt, delayMs, because } = event;
      return { type: 'retry', value: { attempt, delayMs, because } };
    }
    // They are emitted once they have an id.
    case 'call':
    case 'bad_call':
    case 'finished':
      return null;
  }
}

/** Models that sum up their thoughts set the subject in bold at the beginning. Others come in pieces, blanks and all. */
function thoughtIn(text: string): Thought {
  const [, subject = '', description = text] = /^\s*\*\*([^*\n]+)\*\*\s*([\s\S]*)$/.exec(text) ?? [];
  return { subject: subject.trim(), description };
}
