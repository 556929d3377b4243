import type { IncomingMessage } from 'node:http';
import { bytesInWords, guessMimeType } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { decodeBody } from './decode-body.js';
import { htmlToMarkdown } from './html/html-to-markdown.js';
import { mediaTypeOf, readingOf } from './media-type.js';
import { readBody } from './read-body.js';
import type { RequestTimeout } from './request-timeout.js';
import { stripInvisible } from './untrusted.js';

export type PageText = {
  readonly mimeType: string;
  readonly title: string | null;
  readonly text: string;
  /** Why the text is not the whole; null if it is. */
  readonly missing: string | null;
};

/** The body of an answer as text: HTML as Markdown, other text as it stands. What is no text is not even received. */
export async function readText(
  response: IncomingMessage,
  url: URL,
  bytesMax: number,
  timeout: RequestTimeout,
): Promise<PageText> {
  const { mimeType, charset } = mediaTypeOf(response.headers['content-type']);
  const reading = readingOf(mimeType);
  if (reading === 'none') {
    response.destroy();
    throw unsupported(url, mimeType ?? UNKNOWN);
  }
  const body = await readBody(response, url, bytesMax, timeout);
  const source = decodeBody(body, charset);
  if (source === null) throw unsupported(url, guessMimeType(body.bytes, url.pathname));
  const missing = body.whole ? null : `only its first ${bytesInWords(bytesMax)} were read`;
  if (reading === 'text' || (reading === 'unsaid' && !looksLikeHtml(source)))
    return { mimeType: mimeType ?? 'text/plain', title: null, text: stripInvisible(source), missing };
  const page = await htmlToMarkdown(source, url, timeout.signal);
  return {
    mimeType: mimeType ?? 'text/html',
    title: page.title && stripInvisible(page.title),
    text: stripInvisible(page.markdown),
    missing: missing ?? (page.whole ? null : 'it is nested too deeply to be read to its end'),
  };
}

const UNKNOWN = 'application/octet-stream';

const looksLikeHtml = (source: string): boolean =>
  /^\s*(<!--[^>]*-->\s*)?<(!doctype\s+html|html)\b/i.test(source);

const unsupported = (url: URL, mimeType: string): ToolFailure =>
  new ToolFailure({ code: 'unsupported_content', url: url.href, mimeType });
