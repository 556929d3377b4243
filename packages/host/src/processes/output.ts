import { fstatSync, readSync } from 'node:fs';
import { looksBinary } from '../text/decode-text.js';
import { guessMimeType } from '../text/mime-type.js';

/** How much a command has printed. */
export function measureOutput(output: number): { readonly bytes: number } {
  const { size } = fstatSync(output);
  return { bytes: size };
}

/** A part of what a command printed. Never ask for all of it: it may be any amount. */
export function readOutput(output: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(output, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

const SAMPLE_BYTES = 4_096;

/** The type of the data if the output is no text, judged by its beginning; null for text. */
export function binaryTypeOf(output: number): string | null {
  const sample = readOutput(output, 0, SAMPLE_BYTES);
  return looksBinary(sample) ? guessMimeType(sample, '') : null;
}

/** How far a piece of text may reach back or ahead to begin or end with a whole line. */
const LINE_SLACK_BYTES = 2_000;

/** The first bytes: ends after a line if one ends near, and never inside a character. */
export function headOf(bytes: Buffer): Buffer {
  const lineEnd = bytes.lastIndexOf(LINE_FEED) + 1;
  const isNear = lineEnd > 0 && bytes.length - lineEnd <= LINE_SLACK_BYTES;
  return isNear ? bytes.subarray(0, lineEnd) : wholeCharacters(bytes);
}

/** The same bytes without the beginning of a character that continues after them. */
export function wholeCharacters(bytes: Buffer): Buffer {
  // Back over the bytes that continue a character, to the one that begins it.
  let end = bytes.length;
  while (end > 0 && bytes.length - end < CHARACTER_BYTES_MAX && isContinuation(bytes[end - 1])) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const isWhole = end - 1 + lengthByLead(lead) <= bytes.length;
  return isWhole ? bytes : bytes.subarray(0, end - 1);
}

/** The last bytes: begins with a line if one begins near, and never inside a character. */
export function tailOf(bytes: Buffer): Buffer {
  const lineStart = bytes.indexOf(LINE_FEED) + 1;
  if (lineStart > 0 && lineStart <= LINE_SLACK_BYTES) return bytes.subarray(lineStart);
  let start = 0;
  while (start < CHARACTER_BYTES_MAX - 1 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

const LINE_FEED = 0x0a;
const CHARACTER_BYTES_MAX = 4;
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function lengthByLead(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

const ESCAPE_SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/** As text for a model or a person: escape sequences, which only a terminal understands, are omitted. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(ESCAPE_SEQUENCES, '');

export const countLines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
};
