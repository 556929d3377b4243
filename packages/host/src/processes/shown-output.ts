import { bytesInWords } from '../text/bytes-in-words.js';
import { splitLines } from '../text/lines.js';
import {
  binaryTypeOf,
  countLines,
  headOf,
  measureOutput,
  readOutput,
  tailOf,
  textOf,
  wholeCharacters,
} from './output.js';
import type { RunningCommand } from './running-command.js';

type Printed = Pick<RunningCommand, 'output' | 'files'>;

const WHOLE_BYTES_MAX = 40_000; // some 10,000 tokens: more than a model usually needs of one command
const HEAD_BYTES = 8_000; // the end is more informative than the beginning
const TAIL_BYTES = WHOLE_BYTES_MAX - HEAD_BYTES;

/** What a command printed, for a model: all of it, or its head and tail and where the rest is; empty if nothing. */
export function shownOutput({ output, files }: Printed): string {
  const { bytes } = measureOutput(output);
  if (bytes === 0) return '';
  const type = binaryTypeOf(output);
  if (type !== null)
    return `[Binary output: ${bytesInWords(bytes)} of ${type}. It is stored in ${files.output}.]`;
  if (bytes <= WHOLE_BYTES_MAX) return textOf(readOutput(output, 0, bytes));
  const head = headOf(readOutput(output, 0, HEAD_BYTES));
  const tail = tailOf(readOutput(output, bytes - TAIL_BYTES, bytes));
  const note = noteOn({ output, files }, head, { from: head.length, to: bytes - tail.length });
  const headText = textOf(head);
  return `${headText}${headText.endsWith('\n') ? '' : '\n'}${note}\n${textOf(tail)}`;
}

type Omitted = { readonly from: number; readonly to: number };

function noteOn({ output, files }: Printed, head: Buffer, omitted: Omitted): string {
  const { from, to } = omitted;
  const lines = linesIn(output, omitted);
  const amount = `${(to - from).toLocaleString('en')} bytes${lines === null ? '' : ` (${lines.toLocaleString('en')} lines)`}`;
  const line = countLines(head) + 1;
  const readOn =
    head.at(-1) === LINE_FEED
      ? `continue with read_file and start_line ${line}`
      : `line ${line} is long; continue with \`tail -c +${from + 1}\` of that file`;
  return `[… ${amount} are omitted here. The full output is in ${files.output}: ${readOn}.]`;
}

const LINE_FEED = 0x0a;
const COUNTED_BYTES_MAX = 16_000_000; // counting more would take longer than it is worth
const PIECE_BYTES = 262_144;

/** null if there is too much to count. */
function linesIn(output: number, { from, to }: Omitted): number | null {
  if (to - from > COUNTED_BYTES_MAX) return null;
  let lines = 0;
  for (let at = from; at < to; at += PIECE_BYTES)
    lines += countLines(readOutput(output, at, Math.min(at + PIECE_BYTES, to)));
  return lines;
}

const LIVE_BYTES_MAX = 65_536; // what a person can look back over while it runs

/** What a person sees of a command while it runs: its last output. */
export function liveOutput({ output }: Printed): (bytes: number) => string {
  let binary: 'unknown' | 'no' | 'detected' | 'reported' = 'unknown';
  return (bytes) => {
    if (binary === 'unknown') binary = binaryTypeOf(output) === null ? 'no' : 'detected';
    if (binary === 'detected') {
      binary = 'reported';
      return '[Binary output detected. Halting stream...]';
    }
    if (binary === 'reported') return `[Receiving binary output... ${bytesInWords(bytes)} received]`;
    if (bytes <= LIVE_BYTES_MAX) return textOf(wholeCharacters(readOutput(output, 0, bytes)));
    const tail = tailOf(readOutput(output, bytes - LIVE_BYTES_MAX, bytes));
    return `[… earlier output is hidden while the command runs]\n${textOf(wholeCharacters(tail))}`;
  };
}

/** The last lines, at most as many bytes as a model is given of anything. */
export function lastLines({ output }: Printed, count: number): string {
  const { bytes } = measureOutput(output);
  const from = Math.max(0, bytes - TAIL_BYTES);
  const read = readOutput(output, from, bytes);
  const lines = splitLines(textOf(from === 0 ? read : tailOf(read)));
  return lines.slice(-count).join('');
}
