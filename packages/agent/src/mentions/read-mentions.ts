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
  /** Which resource of an MCP server a word after `@` means; null if it means none. */
  readonly resourceFor: (mention: string) => ServerResource | null;
};
export type ServerResource = { readonly server: string; readonly uri: string };

export type MentionsRead = {
  /** What was read, for the model. */
  readonly parts: readonly MessagePart[];
  /** What was not, and why, for the person. */
  readonly notices: readonly string[];
};

const NOTHING: MentionsRead = { parts: [], notices: [] };

/**
 * Reads the files and directories of the workspace, and the resources of MCP servers, that a text names with `@`, as
 * calls like any other: planned, judged and written down. What names nothing that is there is just a word.
 */
export async function readMentions(text: string, reading: Reading): Promise<MentionsRead> {
  const named = await Promise.all(findMentions(text).map((word) => meaningOf(word, reading)));
  const refused = named.flatMap((each) => ('refused' in each ? each.refused : []));
  const wanted = named.flatMap((each) => ('call' in each ? each : []));
  if (wanted.length === 0) return refused.length === 0 ? NOTHING : { parts: [], notices: refused };
  const { session, attended, promptId, signal } = reading;
  const calls = wanted.map(({ call }): WantedCall => ({ ...call, origin: 'client', promptId }));
  const over = await session.schedule(calls, { attended, signal });
  if (!over.ok) return { parts: [], notices: [...refused, explain(over.failure).message] };
  const read = wanted.map((each, index) => outcomeOf(over.calls[index], each));
  const found = read.flatMap(({ parts }) => parts);
  return {
    parts: found.length === 0 ? [] : [{ text: HEADING }, ...found],
    notices: [...refused, ...read.flatMap(({ notices }) => notices)],
  };
}

const HEADING = 'Files and folders that the prompt mentions with "@":';

/** How to read what a word names, one call for each: so each is judged alone, and it can be said which was not read. */
type Named = { readonly word: string; readonly call: Pick<WantedCall, 'name' | 'args'> };
type Meaning = Named | { readonly refused: string } | { readonly nothing: true };

async function meaningOf(word: string, { workspace, resourceFor }: Reading): Promise<Meaning> {
  switch (await placeOf(word, workspace)) {
    case 'inside':
      return { word, call: { name: 'read_many_files', args: { include: [word] } } };
    case 'outside':
      return { refused: `@${word} is outside the workspace and was not read.` };
    case 'nowhere': {
      const resource = resourceFor(word);
      if (!resource) return { nothing: true };
      return {
        word,
        call: { name: RESOURCE_TOOL, args: { uri: resource.uri, serverName: resource.server } },
      };
    }
  }
}

const RESOURCE_TOOL = 'read_mcp_resource';

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

function outcomeOf(settled: SettledCall | undefined, { word, call }: Named): MentionsRead {
  if (settled?.status === 'error') return notRead(word, explain(settled.failure).message);
  if (settled?.status !== 'success') return notRead(word, 'the call was not allowed.');
  const parts = piecesOf(settled.result.llmContent);
  if (call.name === RESOURCE_TOOL) return { parts: [{ text: `--- ${word} ---` }, ...parts], notices: [] };
  const [first] = parts;
  // The tool puts such a line before each file that it read.
  if (typeof first?.['text'] === 'string' && !first['text'].startsWith('--- '))
    return notRead(word, 'ignore files exclude it, or it is empty.');
  return { parts, notices: [] };
}

const notRead = (word: string, why: string): MentionsRead => ({
  parts: [],
  notices: [`@${word} was not read: ${why}`],
});

const piecesOf = (content: ModelContent): readonly MessagePart[] =>
  (isList(content) ? content : [content]).map((piece) =>
    typeof piece === 'string' ? { text: piece } : piece,
  );

const isList = (content: ModelContent): content is Extract<ModelContent, readonly unknown[]> =>
  Array.isArray(content);
