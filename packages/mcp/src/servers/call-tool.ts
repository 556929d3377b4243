import { type RunContext } from '@countersign/engine';
import { type Json, type JsonObject, ToolFailure } from '@countersign/protocol';
import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { inOneLine } from '../text/in-words.js';
import type { CallClock } from './call-clock.js';

/** What a server answered to a call, not yet looked into. */
export type CallAnswer = {
  readonly content: readonly Json[];
  readonly structured: Json | undefined;
  readonly isError: boolean;
};

/** By hand, since every call pays for it. Each piece of content is looked at by itself, and whatever comes out of JSON is JSON. */
const Answer: StandardSchemaV1<unknown, CallAnswer> = {
  '~standard': {
    version: 1,
    vendor: 'countersign',
    validate: (answer) => {
      if (!isRaw(answer)) return { issues: [{ message: 'its result is not an object' }] };
      const { content = [], structuredContent, isError = false } = answer;
      if (!Array.isArray(content) || typeof isError !== 'boolean')
        return { issues: [{ message: 'its result is not a tool result' }] };
      return { value: { content, structured: structuredContent, isError } };
    },
  },
};
const isRaw = (answer: unknown): answer is RawAnswer => typeof answer === 'object' && answer !== null;
type RawAnswer = { readonly content?: Json; readonly structuredContent?: Json; readonly isError?: Json };

const TIMER_MAX_MS = 2 ** 31 - 1;

export type ServerCall = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly context: Pick<RunContext, 'signal' | 'progress'>;
  readonly clock: (onExpired: (afterMs: number) => void) => CallClock;
};

/**
 * One call of a tool. The time is kept here, since progress and questions to
 * the user change it. Cancelling notifies the server and does not wait for it.
 */
export async function callTool(
  client: Client,
  { tool, args, context, clock }: ServerCall,
): Promise<CallAnswer> {
  const stop = spare ?? new AbortController();
  spare = null;
  let expiredMs: number | null = null;
  const time = clock((afterMs) => {
    expiredMs = afterMs;
    stop.abort(new Error(`no response within ${afterMs} ms`));
  });
  const cancel = () => stop.abort(new Error('cancelled'));
  context.signal.addEventListener('abort', cancel, { once: true });
  if (context.signal.aborted) cancel();
  try {
    const request = { method: 'tools/call', params: { name: tool, arguments: args } };
    return await client.request(request, Answer, {
      signal: stop.signal,
      timeout: TIMER_MAX_MS,
      onprogress: ({ progress, total, message }) => {
        time.progress();
        context.progress(progress, total, message === undefined ? undefined : inOneLine(message));
      },
    });
  } catch (error) {
    if (expiredMs !== null) throw new ToolFailure({ code: 'timed_out', afterMs: expiredMs, stopped: false });
    throw error;
  } finally {
    time.stop();
    context.signal.removeEventListener('abort', cancel);
    if (!stop.signal.aborted) spare = stop;
  }
}

/** Making one costs more than the rest of a call. Of a call that is over nothing listens to it or fires it any more. */
let spare: AbortController | null = null;
