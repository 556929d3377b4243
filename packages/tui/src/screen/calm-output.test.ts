import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  const output = how === 'calm' ? calmOutput(tty) : tty;
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

test('whatever is drawn and printed, the screen is what it would have been [U1]', async () => {
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

test('a row that stays as it is is not sent again', () => {
  const rows = Array.from({ length: 10 }, (_, index) => `row number ${index}`);
  const before = `${rows.join('\n')}\n`;
  const after = before.replace('number 5', 'number x');
  const { sent } = framesAs([before, `${erase(11)}${after}`], 'calm');
  expect(sent.slice(before.length)).toContain('row number x');
  expect(sent.slice(before.length)).not.toContain('row number 4');
});
