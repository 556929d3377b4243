import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, ModelContent, ToolOutcome, ToolResult } from '@countersign/protocol';
import { wordsOf } from '../values/plain.js';

/**
 * The outcome of a call, cut to what a model can be given. The whole is kept in a
 * file of the call's own, and the cut says where and how to read on. Gives its
 * answer at once if nothing need be cut.
 */
export function cutOutcome(
  outcome: ToolOutcome,
  directory: string,
  charsMax: number,
): ToolOutcome | Promise<ToolOutcome> {
  if (outcome.ok) return isLong(outcome.result, charsMax) ? cutSuccess(outcome.result) : outcome;
  const { failure, partial } = outcome;
  const words = wordsIn(failure);
  const message = words.length > charsMax;
  return message || (partial?.output.length ?? 0) > charsMax ? cutFailure() : outcome;

  async function cutSuccess(result: ToolResult): Promise<ToolOutcome> {
    const { llmContent, returnDisplay } = result;
    const whole = textIn(llmContent);
    const shown = typeof returnDisplay === 'string' ? returnDisplay : null;
    const where = await keep(whole.length > charsMax ? whole : (shown ?? ''), directory);
    const cut = whole.length > charsMax ? withText(llmContent, cutText(whole, where, charsMax)) : llmContent;
    const display = shown === null ? returnDisplay : cutText(shown, where, charsMax);
    return { ok: true, result: { ...result, llmContent: cut, returnDisplay: display } };
  }

  async function cutFailure(): Promise<ToolOutcome> {
    const where = await keep(partial?.output || words, directory);
    return {
      ok: false,
      failure:
        message && 'message' in failure ? { ...failure, message: cutText(words, where, charsMax) } : failure,
      partial: partial && { ...partial, output: cutText(partial.output, where, charsMax) },
    };
  }
}

const wordsIn = (failure: object): string =>
  'message' in failure && typeof failure.message === 'string' ? failure.message : '';

const isLong = ({ llmContent, returnDisplay }: ToolResult, charsMax: number): boolean =>
  (typeof llmContent === 'string' ? llmContent.length : textIn(llmContent).length) > charsMax ||
  (typeof returnDisplay === 'string' && returnDisplay.length > charsMax);

/** What of a result is text to a model. Pictures and the like have limits of their own. */
function textIn(content: ModelContent): string {
  const parts = isList(content) ? content : [content];
  return parts.flatMap((part) => textOf(part) ?? []).join('\n');
}

/** `Array.isArray` alone would make a list of anything of it. */
const isList = (content: ModelContent): content is readonly (string | JsonObject)[] => Array.isArray(content);

function textOf(part: string | JsonObject): string | null {
  if (typeof part === 'string') return part;
  if (typeof part['text'] === 'string') return part['text'];
  return 'inlineData' in part || 'fileData' in part ? null : JSON.stringify(part);
}

/** The text takes the place of all text that was there; what is no text stays, behind it. */
function withText(content: ModelContent, text: string): ModelContent {
  if (!isList(content)) return text;
  return [text, ...content.filter((part) => textOf(part) === null)];
}

type Kept = { readonly path: string } | { readonly problem: string };

async function keep(text: string, directory: string): Promise<Kept> {
  const path = join(directory, 'result.txt');
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return { path };
  } catch (thrown) {
    return { problem: wordsOf(thrown) };
  }
}

/** Head and tail, whole lines where they are short enough, with a note between them on what is missing. */
function cutText(text: string, where: Kept, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  const headEnd = cutAt(text, half, text.lastIndexOf('\n', half) + 1, half / 2);
  const from = text.length - half;
  const tailStart = cutAt(text, from, text.indexOf('\n', from) + 1, half / 2);
  return `${text.slice(0, headEnd)}\n${note(text, headEnd, tailStart, where)}\n${text.slice(tailStart)}`;
}

/** At the end of a line if that gives up little, and never inside a character. */
function cutAt(text: string, at: number, atLine: number, slack: number): number {
  if (atLine > 0 && Math.abs(atLine - at) <= slack) return atLine;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function note(text: string, from: number, to: number, where: Kept): string {
  const left = `${(to - from).toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are omitted here.`;
  if ('problem' in where) return `[… ${left} They could not be stored: ${where.problem}]`;
  const line = text.slice(0, from).split('\n').length;
  return `[… ${left} The full text is in ${where.path}: continue with read_file and start_line ${line}.]`;
}
