import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import type { SessionShell } from '@countersign/engine';
import {
  explain,
  type MessagePart,
  type ModelContent,
  type SettledCall,
  type WantedCall,
} from '@countersign/protocol';
import { findMentions } from './find-mentions.js';

export type Reading = {
  readonly session: SessionShell;
  readonly workspace: string;
  readonly attended: 'somebody' | 'nobody';
  readonly promptId: string;
  readonly signal: AbortSignal;
};

export type MentionsRead = {
  /** What was read, for the model. */
  readonly parts: readonly MessagePart[];
  /** What was not, and why, for the person. */
  readonly notices: readonly string[];
};

const NOTHING: MentionsRead = { parts: [], notices: [] };

/**
 * Reads the files and directories of the workspace that a text names with `@`, as calls like any other: planned, judged
 * and written down. What names nothing that is there is just a word.
 */
export async function readMentions(text: string, reading: Reading): Promise<MentionsRead> {
  const mentions = findMentions(text);
  if (mentions.length === 0) return NOTHING;
  const placed = await Promise.all(mentions.map((path) => placeOf(path, reading.workspace)));
  const inside = mentions.filter((_, index) => placed[index] === 'inside');
  const outside = mentions.filter((_, index) => placed[index] === 'outside');
  const refused = outside.map((path) => `@${path} lies outside the workspace and was not read.`);
  if (inside.length === 0) return { parts: [], notices: refused };
  const { session, attended, promptId, signal } = reading;
  const calls = inside.map((path): WantedCall => ({ ...readingOf(path), origin: 'client', promptId }));
  const over = await session.schedule(calls, { attended, signal });
  if (!over.ok) return { parts: [], notices: [...refused, explain(over.failure).message] };
  const read = over.calls.map((call, index) => outcomeOf(call, inside[index] ?? ''));
  const found = read.flatMap(({ parts }) => parts);
  return {
    parts: found.length === 0 ? [] : [{ text: HEADING }, ...found],
    notices: [...refused, ...read.flatMap(({ notices }) => notices)],
  };
}

const HEADING = 'Read for you, since the prompt names them with "@":';

/** One for each, so that each is judged alone, and it can be said which was not read. */
const readingOf = (path: string) => ({ name: 'read_many_files', args: { include: [path] } });

async function placeOf(path: string, workspace: string): Promise<'inside' | 'outside' | 'nowhere'> {
  const named = isAbsolute(path) ? path : resolve(workspace, path);
  try {
    const real = await realpath(named);
    return real === workspace || real.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep)
      ? 'inside'
      : 'outside';
  } catch {
    return 'nowhere';
  }
}

function outcomeOf(call: SettledCall, path: string): MentionsRead {
  if (call.status === 'error') return notRead(path, explain(call.failure).message);
  if (call.status === 'cancelled') return notRead(path, 'it was not allowed.');
  const parts = piecesOf(call.result.llmContent);
  const [first] = parts;
  // The tool puts such a line before each file that it read.
  if (typeof first?.['text'] === 'string' && !first['text'].startsWith('--- '))
    return notRead(path, 'ignore files leave it out, or there is nothing in it.');
  return { parts, notices: [] };
}

const notRead = (path: string, why: string): MentionsRead => ({
  parts: [],
  notices: [`@${path} was not read: ${why}`],
});

const piecesOf = (content: ModelContent): readonly MessagePart[] =>
  (isList(content) ? content : [content]).map((piece) =>
    typeof piece === 'string' ? { text: piece } : piece,
  );

const isList = (content: ModelContent): content is Extract<ModelContent, readonly unknown[]> =>
  Array.isArray(content);
