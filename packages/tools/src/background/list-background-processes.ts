import type { Tool } from '@countersign/engine';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { entries } from './registry.js';
import { stateOf } from './state.js';

const LISTED_MAX = 50; // the latest; older ones have long ended

export const listBackgroundProcesses: Tool = defineTool({
  name: 'list_background_processes',
  displayName: 'List background processes',
  description:
    'List the commands that this session started with is_background: process id, state and command.',
  kind: 'read',
  input: () => z.strictObject({}),
  plan: () => ({ title: 'List background processes', resources: [], repeat: 'safe' }),
  run: async (_, { sessionDirectory }) => {
    const all = entries(sessionDirectory);
    const listed: string[] = [];
    for (const entry of all.slice(-LISTED_MAX))
      listed.push(`${entry.pid}: ${await stateOf(entry)}: ${entry.command}`);
    const text = listed.length === 0 ? 'This session has no background processes.' : listed.join('\n');
    return { llmContent: text, returnDisplay: text };
  },
});
