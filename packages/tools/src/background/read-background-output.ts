import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '@countersign/engine';
import { lastLines } from '@countersign/host';
import * as z from 'zod';
import { lines as joined } from '../confined-command/command-result.js';
import { confinedEnd } from '../confined-command/confined-end.js';
import { defineTool } from '../define-tool/define-tool.js';
import { entryOf, lookInto } from './registry.js';
import { stateInWords } from './state.js';

const LINES_DEFAULT = 100;
const LINES_MAX = 10_000;
const DELAY_MS_MAX = 60_000; // a longer wait takes another call

export const readBackgroundOutput: Tool = defineTool({
  name: 'read_background_output',
  displayName: 'Read background output',
  description:
    'Read the last lines that a background process of this session printed, and whether it is still running or how it ended.',
  kind: 'read',
  input: () =>
    z.strictObject({
      pid: z.int().min(1).describe('The process id that was returned when it was started.'),
      lines: z.int().min(1).max(LINES_MAX).optional().describe(`Number of lines. Default ${LINES_DEFAULT}.`),
      delay_ms: z.int().min(0).max(DELAY_MS_MAX).optional().describe('How long to wait before reading.'),
    }),
  plan: ({ pid }) => ({ title: `Read output of process ${pid}`, resources: [], repeat: 'safe' }),
  run: async ({ pid, lines = LINES_DEFAULT, delay_ms = 0 }, { sessionDirectory, signal }) => {
    const entry = entryOf(sessionDirectory, pid);
    await delay(delay_ms, undefined, { signal });
    return lookInto(entry, (found) => {
      const output = lastLines(found.command, lines);
      const state = `[Process ${pid}: ${stateInWords(found, entry)}. All output: ${found.command.files.output}]`;
      const notes = confinedEnd(found.command, null)?.notes ?? [];
      const text = [state, ...notes.map((note) => `[${note}]`)].reduce(joined, output);
      return { llmContent: text, returnDisplay: text };
    });
  },
});
