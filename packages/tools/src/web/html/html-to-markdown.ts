import { setImmediate } from 'node:timers/promises';
import { PageReader } from './page-reader.js';

export type ReadPage = {
  readonly title: string | null;
  readonly markdown: string;
  /** false where the page is nested too deeply to be read to its end. */
  readonly whole: boolean;
};

const CHUNK_CHARS = 16_384; // read in about a millisecond: others have their turn in between

/**
 * The content of a page as Markdown. One pass without a tree: pages are untrusted, and libraries that build trees and
 * weigh their branches take minutes for some pages of a few kilobytes.
 */
export async function htmlToMarkdown(html: string, url: URL, signal: AbortSignal): Promise<ReadPage> {
  const content = await readPage(html, new PageReader(url, 'omitted'), signal);
  const isMistaken = content.surroundingChars > content.chars;
  const read = isMistaken ? await readPage(html, new PageReader(url, 'kept'), signal) : content;
  return { title: read.title, markdown: read.markdown(), whole: !read.isTooDeep };
}

async function readPage(html: string, reader: PageReader, signal: AbortSignal): Promise<PageReader> {
  const { Parser } = await import('htmlparser2');
  const parser = new Parser(reader);
  for (let at = 0; at < html.length && !reader.isTooDeep; at += CHUNK_CHARS) {
    signal.throwIfAborted();
    parser.write(html.slice(at, at + CHUNK_CHARS));
    await setImmediate();
  }
  parser.end();
  return reader;
}
