import type { AgentEvent, ResponseInfo } from '@countersign/agent';
import { explain } from '@countersign/protocol';
import { type Io, printJson } from '../io/io.js';
import { errorOf, type Output } from './output.js';
import type { Tally } from './tally.js';

type Line = { readonly type: string; readonly [field: string]: unknown };

/** One line per event as it happens, in the format of Gemini CLI. */
export function streamOutput(io: Io, tally: Tally): Output {
  /** Warnings before `init`, which must be the first line. */
  let early: Line[] | null = [];
  const print = (line: Line) => printJson(io, { ...line, timestamp: new Date().toISOString() });
  return {
    begin: (sessionId, model, prompt) => {
      print({ type: 'init', session_id: sessionId, model });
      for (const line of early ?? []) print(line);
      early = null;
      if (prompt !== '') print({ type: 'message', role: 'user', content: prompt });
    },
    onEvent: (event) => {
      const line = lineOf(event);
      if (line) print(line);
    },
    warn: (message) => {
      const line = { type: 'error', severity: 'warning', message };
      if (early) early.push(line);
      else print(line);
    },
    end: (ending, { model, spent: { inputTokens, outputTokens, cachedTokens, cost } }) => {
      const tokens = {
        total_tokens: inputTokens + outputTokens,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        cached: cachedTokens,
        input: inputTokens - cachedTokens,
      };
      print({
        type: 'result',
        status: ending.type === 'answered' ? 'success' : 'error',
        ...errorOf(ending),
        stats: {
          ...tokens,
          duration_ms: tally.durationMs,
          tool_calls: tally.toolCalls,
          cost,
          models: { [model]: tokens },
        },
      });
    },
  };
}

function lineOf(event: AgentEvent): Line | null {
  switch (event.type) {
    case 'content':
      return { type: 'message', role: 'assistant', content: event.value, delta: true };
    case 'thought':
      return { type: 'thought', ...event.value };
    case 'tool_call_request': {
      const { name, callId, args } = event.value;
      return { type: 'tool_use', tool_name: name, tool_id: callId, parameters: args };
    }
    case 'tool_call_response':
      return resultLine(event.value);
    case 'chat_compressed':
      return { type: 'chat_compressed', ...event.value };
    case 'retry': {
      const { because, attempt, delayMs } = event.value;
      const { message } = explain(because);
      return { type: 'error', severity: 'warning', message, attempt, retry_in_ms: delayMs };
    }
    case 'notice':
      return { type: 'error', severity: 'warning', message: event.value };
    case 'error':
      return { type: 'error', severity: 'error', message: event.value.error.message };
    // The stdio channel prints questions; `result` has the end of the run.
    case 'tool_call_confirmation':
    case 'finished':
    case 'user_cancelled':
      return null;
  }
}

function resultLine(info: ResponseInfo): Line {
  const { callId, status, errorType, error, responseParts, resultDisplay, mayHaveHappened, complete } = info;
  const output = responseParts.flatMap(({ functionResponse }) => {
    const text = functionResponse?.response?.['output'];
    return typeof text === 'string' ? [text] : [];
  });
  const message = error ?? (typeof resultDisplay === 'string' ? resultDisplay : 'The call was cancelled.');
  return {
    type: 'tool_result',
    tool_id: callId,
    status: status === 'success' ? 'success' : 'error',
    ...(output.length > 0 && { output: output.join('\n') }),
    ...(status !== 'success' && {
      error: {
        type: errorType ?? status,
        message,
        ...(mayHaveHappened && { mayHaveHappened }),
        ...(complete && { complete }),
      },
    }),
  };
}
