import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlockKind, Blocks } from './blocks.js';
import { calmOutput } from './calm-output.js';

/** As frames are drawn: what was there is erased, and the next is written. */
const erase = (count: number): string =>
  count === 0 ? '' : `\u001b[2K${'\u001b[1A\u001b[2K'.repeat(count - 1)}\u001b[G`;

function framesAs(chunks: readonly string[], how: 'calm' | 'as they are'): { readonly sent: string } {
  let sent = '';
  const stream = Object.assign(new PassThrough(), {
    write: (chunk: string) => {
      sent += chunk;
      return true;
    },
  });
  const tty = stream as unknown as NodeJS.WriteStream;
  const output = how === 'calm' ? calmOutput(tty, new Blocks()) : tty;
  for (const chunk of chunks) output.write(chunk);
  return { sent };
}

async function screenOf(sent: string): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 12, scrollback: 500, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(sent.replaceAll('\n', '\r\n'), resolve));
  const { active } = terminal.buffer;
  const rows = Array.from(
    { length: active.length },
    (_, index) => active.getLine(index)?.translateToString(true) ?? '',
  );
  terminal.dispose();
  return [...rows.join('\n').trimEnd().split('\n'), `${active.cursorX}`];
}

const frame = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 18 }), {
  minLength: 1,
  maxLength: 8,
});
const step = fc.oneof(
  frame.map((rows) => ({ type: 'frame' as const, rows })),
  frame.map((rows) => ({ type: 'print' as const, rows })),
);

test('whatever is drawn and printed, the screen is the same as with full redraws [U1]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const chunks: string[] = [];
      let height = 0;
      for (const { type, rows } of steps) {
        const text = `${rows.join('\n')}\n`;
        if (type === 'frame') chunks.push(`${erase(height)}${text}`);
        else chunks.push(erase(height), text, '\u001b[?2026h', text);
        height = rows.length + 1;
      }
      const calm = framesAs(chunks, 'calm');
      expect(await screenOf(calm.sent)).toEqual(await screenOf(framesAs(chunks, 'as they are').sent));
    }),
    { numRuns: 150 },
  );
});

test('an unchanged row is not sent again', () => {
  const rows = Array.from({ length: 10 }, (_, index) => `row number ${index}`);
  const before = `${rows.join('\n')}\n`;
  const after = before.replace('number 5', 'number x');
  const { sent } = framesAs([before, `${erase(11)}${after}`], 'calm');
  expect(sent.slice(before.length)).toContain('row number x');
  expect(sent.slice(before.length)).not.toContain('row number 4');
});

/** What was sent for frames in which these rows stand as blocks, on a screen of so many columns and rows. */
function sentFor(
  size: { readonly columns: number; readonly rows: number },
  frames: (put: (kind: BlockKind, ...rows: readonly string[]) => string) => readonly string[],
): string {
  let sent = '';
  const blocks = new Blocks();
  const write = (chunk: string) => {
    sent += chunk;
    return true;
  };
  const stream = Object.assign(new PassThrough(), { ...size, write });
  const output = calmOutput(stream as unknown as NodeJS.WriteStream, blocks);
  const put = (kind: BlockKind, ...rows: readonly string[]) =>
    `${blocks.put(kind, { rows, columns: 79 })}${'\n'.repeat(rows.length - 1)}`;
  for (const frame of frames(put)) output.write(frame);
  return sent;
}

test('rows replace the signs of their blocks, and only changed rows are sent', () => {
  const sent = sentFor({ columns: 80, rows: 24 }, (put) => [
    `${put('printed', 'said')}\n`,
    `${put('live', 'one', 'two', 'three')}\n${put('live', 'foot')}\n`,
    `${erase(5)}${put('live', 'one', '2', 'three')}\n${put('live', 'foot')}\n`,
  ]);
  const [first, second] = sent.split('foot\n');
  expect(first).toBe('said\none\ntwo\nthree\n');
  expect(second).toContain('2');
  expect(second).not.toMatch(/one|three/);
});

test('a screen that became too low for what is drawn is erased; what was printed and has scrolled away stays', () => {
  const sent = sentFor({ columns: 80, rows: 4 }, (put) => [
    `\u001b[2J\u001b[3J\u001b[H${put('printed', 'a', 'b')}\n${put('live', 'x', 'y')}`,
  ]);
  expect(sent).toBe('\u001b[2J\u001b[Hx\ny\n');
});

test('a screen that became too low has all of the frame, also after signs of what was printed were used again', () => {
  const blocks = new Blocks();
  let sent = '';
  const write = (chunk: string) => {
    sent += chunk;
    return true;
  };
  const stream = Object.assign(new PassThrough(), { columns: 80, rows: 4, write });
  const output = calmOutput(stream as unknown as NodeJS.WriteStream, blocks);
  const printed = Array.from({ length: 600 }, (_, at) => {
    const rows = Array.from({ length: 1 + (at % 3) }, () => `printed ${at}`);
    const sign = blocks.put('printed', { rows, columns: 79 });
    blocks.giveBack(sign);
    return `${sign}${'\n'.repeat(rows.length)}`;
  });
  expect(new Set(printed.map((each) => each.trim())).size).toBeLessThan(600);
  const frame = `${blocks.put('live', { rows: ['x', 'y'], columns: 79 })}\n`;
  output.write(`\u001b[2J\u001b[3J\u001b[H${printed.join('')}${frame}`);
  expect(sent).toBe('\u001b[2J\u001b[Hx\ny\n');
});

test('rows that were laid out for a wider screen are not broken by a narrower one', () => {
  expect(sentFor({ columns: 40, rows: 24 }, (put) => [`${put('live', 'a'.repeat(70), 'b')}\n`])).toBe('\n\n');
});

test('what a narrower screen has broken into more rows is erased as a whole', async () => {
  const terminal = new xterm.Terminal({ cols: 40, rows: 12, scrollback: 50, allowProposedApi: true });
  const written = () => new Promise<void>((resolve) => terminal.write('', resolve));
  const blocks = new Blocks();
  const stream = Object.assign(new PassThrough(), {
    columns: 40,
    rows: 12,
    write: (chunk: string) => {
      terminal.write(chunk.replaceAll('\n', '\r\n'));
      return true;
    },
  });
  const output = calmOutput(stream as unknown as NodeJS.WriteStream, blocks);
  const frame = (columns: number) =>
    `${blocks.put('live', { rows: ['a'.repeat(columns), 'b'], columns })}\n\n`;
  output.write('printed\n');
  output.write(frame(39));
  await written();
  terminal.resize(20, 12);
  stream.columns = 20;
  output.write(`${erase(3)}${frame(19)}`);
  await written();
  const { active } = terminal.buffer;
  const rows = Array.from({ length: 5 }, (_, at) => active.getLine(at)?.translateToString(true));
  terminal.dispose();
  expect(rows).toEqual(['printed', 'a'.repeat(19), 'b', '', '']);
});
