import { closeSync } from 'node:fs';
import { type RunContext } from '@countersign/engine';
import { insideDirectory, openFile, splitPath } from '@countersign/host';
import { type JsonObject, ToolFailure } from '@countersign/protocol';
import { readProblem } from '../define-tool/read-problem.js';
import { forModel } from '../read-file/describe-text.js';
import { FileBytes } from '../read-file/file-bytes.js';
import { inlineTypeOf, readInline } from '../read-file/read-inline.js';
import { readText } from '../read-file/read-text.js';

export type FileToRead = {
  readonly path: string;
  readonly shown: string;
  /** Whether an image or PDF is given as it is, or only mentioned. */
  readonly media: 'wanted' | 'unwanted';
};

/** Text, or Gemini-style parts. */
export type Piece = string | JsonObject;
export type ReadPart = { readonly shown: string; readonly pieces: readonly Piece[] };
export type Reading = {
  readonly parts: readonly ReadPart[];
  /** Why a file is not among them. */
  readonly refused: readonly { readonly shown: string; readonly reason: string }[];
  /** Those for which there was no room. */
  readonly left: readonly string[];
};

const TEXT_CHARS_MAX = 200_000; // about 50,000 tokens
const MEDIA_CHARS_MAX = 20_000_000; // what a request to a model can carry

/** Reads one after the other until what fits into an answer is full. */
export async function readInTurn(
  files: readonly FileToRead[],
  context: Pick<RunContext, 'signal' | 'progress'>,
): Promise<Reading> {
  const parts: ReadPart[] = [];
  const refused: { shown: string; reason: string }[] = [];
  const left: string[] = [];
  const room = { text: TEXT_CHARS_MAX, media: MEDIA_CHARS_MAX };
  for (const [index, file] of files.entries()) {
    context.signal.throwIfAborted();
    if (room.text <= 0) {
      left.push(file.shown);
      continue;
    }
    const content = await contentOrReason(file, context);
    if (content.kind === 'none') refused.push({ shown: file.shown, reason: content.reason });
    else if (content.chars > room[content.kind]) left.push(file.shown);
    else {
      parts.push({ shown: file.shown, pieces: content.pieces });
      room[content.kind] -= content.chars;
    }
    context.progress(index + 1, files.length);
  }
  return { parts, refused, left };
}

type Content =
  | { readonly kind: 'text' | 'media'; readonly pieces: readonly Piece[]; readonly chars: number }
  | { readonly kind: 'none'; readonly reason: string };

async function contentOrReason(file: FileToRead, context: Pick<RunContext, 'signal'>): Promise<Content> {
  try {
    return await contentOf(file, context);
  } catch (error) {
    return { kind: 'none', reason: readProblem(error, file.shown) };
  }
}

function contentOf(file: FileToRead, context: Pick<RunContext, 'signal'>): Promise<Content> {
  const { parent, name } = splitPath(file.path);
  return insideDirectory(parent, 'fail', async (directory) => {
    const opened = openFile(directory, name, file.shown);
    if (opened === null) throw new ToolFailure({ code: 'stale_file', path: file.shown });
    try {
      return await contentOfBytes(new FileBytes(opened), file, context);
    } finally {
      closeSync(opened.fd);
    }
  });
}

async function contentOfBytes(
  bytes: FileBytes,
  { shown, media }: FileToRead,
  context: Pick<RunContext, 'signal'>,
): Promise<Content> {
  const mimeType = inlineTypeOf(bytes);
  if (mimeType === null) {
    const text = forModel(await readText(bytes, { wanted: { first: 1, last: null }, shown, context }), shown);
    return { kind: 'text', pieces: [text], chars: text.length };
  }
  if (media === 'unwanted')
    return { kind: 'none', reason: `${shown} is ${mimeType}; name it, or its extension, to see it.` };
  const { llmContent } = await readInline(bytes, mimeType, { shown, context });
  return { kind: 'media', pieces: [llmContent].flat(), chars: Math.ceil(bytes.size / 3) * 4 };
}
