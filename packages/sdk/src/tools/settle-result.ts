import { type ToolResult as EngineResult, type Failure, ToolFailure } from '@countersign/protocol';
import type { ToolResult } from '../types/tool-types.js';

/** A result as the engine takes it. A failure that the tool reports instead of throwing becomes one. */
export function settleResult(result: ToolResult): EngineResult {
  // The engine checks what a tool written in JavaScript returns, and reports what is wrong with it.
  const error = typeof result === 'object' && result !== null ? result.error : undefined;
  if (!error) return result;
  throw new ToolFailure(failureOf(error), textOf(result.llmContent));
}

/** Codes of ours that need no data but a message; the others cannot be made of what a tool reports. */
const OF_A_MESSAGE = ['temporary', 'network', 'unhandled_exception'] as const;

function failureOf({ message, type }: NonNullable<ToolResult['error']>): Failure {
  const code = OF_A_MESSAGE.find((each) => each === type);
  if (code !== undefined) return { code, message };
  const own = type === undefined || type === 'execution_failed' ? {} : { type };
  return { code: 'execution_failed', message, ...own };
}

/** The words in what a model would have got; null if there are none. */
function textOf(content: ToolResult['llmContent'] | undefined): string | null {
  if (content === undefined) return null;
  const text = [content]
    .flat()
    .flatMap((part) =>
      typeof part === 'string' ? [part] : typeof part['text'] === 'string' ? [part['text']] : [],
    );
  return text.length === 0 ? null : text.join('\n');
}
