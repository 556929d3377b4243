import type { Tool } from '@countersign/engine';
import { lastLines } from '@countersign/host';
import * as z from 'zod';
import { lines } from '../confined-command/command-result.js';
import { defineTool } from '../define-tool/define-tool.js';
import { entryOf, lookInto } from './registry.js';
import { stateInWords, stateOf } from './state.js';

const LINES_SHOWN = 20; // how it was before it was stopped

export const stopBackgroundProcess: Tool = defineTool({
  name: 'stop_background_process',
  displayName: 'Stop background process',
  description: 'Stop a background process of this session and every process that it started.',
  kind: 'execute',
  input: () =>
    z.strictObject({
      pid: z.int().min(1).describe('The process id that was returned when it was started.'),
    }),
  plan: ({ pid }) => ({ title: `Stop process ${pid}`, resources: [], repeat: 'safe' }),
  run: async ({ pid }, { sessionDirectory }) => {
    const entry = entryOf(sessionDirectory, pid);
    return lookInto(entry, async (found) => {
      const wasRunning = found.type === 'running';
      const { left } = await found.command.end();
      const state = wasRunning ? await stateOf(entry) : stateInWords(found, entry);
      const text = `Process ${pid} ${wasRunning ? 'was stopped' : 'had ended already'}: ${state}.`;
      const rest = left.length === 0 ? '' : ` Could not be stopped: process ${left.join(', ')}.`;
      const shown = lines(lastLines(found.command, LINES_SHOWN), `[${text}${rest}]`);
      return { llmContent: shown, returnDisplay: shown };
    });
  },
});
