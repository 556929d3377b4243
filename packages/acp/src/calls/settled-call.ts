import type { ToolCallContent, ToolCallLocation, ToolCallStatus } from '@agentclientprotocol/sdk';
import { doubtText, resultOf } from '@countersign/kernel';
import {
  cancelText,
  explain,
  type Json,
  type ModelContent,
  type SettledCall,
  type SuccessfulCall,
} from '@countersign/protocol';
import { type EditAsked, madeDiffs } from '../content/edit-diffs.js';
import { fenced } from '../content/markdown.js';
import { imageIn } from '../content/prompt-parts.js';

export type Outcome = {
  readonly status: ToolCallStatus;
  readonly content: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
  /** What the model receives. */
  readonly rawOutput: unknown;
};

/** A person scrolls through no more; all of it is kept with the session. */
const SHOWN_CHARS_MAX = 50_000;

/** How a call ended. The protocol has no status for a cancelled call: it counts as failed, and its text states the reason. */
export function outcomeOf(call: SettledCall, asked: EditAsked | null): Outcome {
  const rawOutput = resultOf(call).parts[0]?.functionResponse?.response;
  if (call.status === 'success') {
    const made = madeDiffs(call.result.returnDisplay, asked);
    return { status: 'completed', ...(made ?? { content: shownResult(call) }), rawOutput };
  }
  const message = call.status === 'error' ? explain(call.failure).message : cancelText(call.reason);
  const printed = call.partial?.output;
  const doubt = doubtText(call);
  return {
    status: 'failed',
    content: [
      text(message),
      ...(printed ? [text(output(printed))] : []),
      ...(doubt === null ? [] : [text(doubt)]),
    ],
    rawOutput,
  };
}

function shownResult({ plan, result }: SuccessfulCall): ToolCallContent[] {
  const pictures = picturesIn(result.llmContent);
  const words = wordsOf(result.returnDisplay, result.llmContent);
  if (words.trim() === '') return pictures;
  return [text(plan.kind === 'execute' ? output(words) : cut(words)), ...pictures];
}

const wordsOf = (display: Json, llmContent: ModelContent): string =>
  typeof display === 'string' ? display : typeof llmContent === 'string' ? llmContent : '';

const picturesIn = (llmContent: ModelContent): ToolCallContent[] =>
  [llmContent].flat().flatMap((piece) => {
    if (typeof piece !== 'object' || piece === null || !('inlineData' in piece)) return [];
    return imageIn(piece['inlineData']).map((content) => ({ type: 'content' as const, content }));
  });

/** What a program printed, as it is. */
export const output = (printed: string): string => fenced(cut(printed), 'console');

/** Keeps the end, which shows how the command went. */
const cut = (long: string): string =>
  long.length <= SHOWN_CHARS_MAX
    ? long
    : `[${(long.length - SHOWN_CHARS_MAX).toLocaleString('en')} characters before this are omitted]\n${long.slice(-SHOWN_CHARS_MAX)}`;

export const text = (words: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text: words },
});
