import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../tools/define-tool.js';
import { Deploy } from '../tools/testing/deploy.js';
import { sessionWith, temporaryWorkspace } from '../tools/testing/session.js';
import type { AnyTool } from '../types/any-tool.js';
import { ApprovalMode, Kind } from '../types/enums.js';
import type { PlainTool } from '../types/tool-types.js';

let place: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  place = temporaryWorkspace();
  writeFileSync(join(place.workspace, 'a.txt'), 'old');
});
afterEach(() => place.remove());

const WRITE_MS = 30;

/** Names the file that it writes, and takes its time. */
const slowWrite = (): PlainTool<{ text: string }> => ({
  name: 'slow_write',
  description: 'Writes a.txt slowly.',
  kind: Kind.Edit,
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  toolLocations: () => [{ path: 'a.txt' }],
  execute: async ({ text }) => {
    await sleep(WRITE_MS);
    writeFileSync(join(place.workspace, 'a.txt'), text);
    return { llmContent: 'written', returnDisplay: '' };
  },
});

const content = () => readFileSync(join(place.workspace, 'a.txt'), 'utf8');
const shown = (text: string) => ({ llmContent: text, returnDisplay: '' });

/** Tools of each style that read a.txt and name no location. */
const READERS: { readonly [style: string]: (kind: Kind) => AnyTool } = {
  'class-style': (kind) =>
    new Deploy({ kind, confirm: async () => false, execute: async () => shown(content()) }),
  plain: (kind): PlainTool<object> => ({
    name: 'deploy',
    description: 'Shows a.txt.',
    kind,
    execute: async () => shown(content()),
  }),
  'plain, with an empty list of resources': (kind): PlainTool<object> => ({
    name: 'deploy',
    description: 'Shows a.txt.',
    kind,
    resources: () => [],
    execute: async () => shown(content()),
  }),
  defineTool: (kind) =>
    defineTool({
      name: 'deploy',
      displayName: 'Show',
      description: 'Shows a.txt.',
      kind,
      input: z.object({ target: z.string() }),
      plan: () => ({ title: 'Show', resources: [], repeat: 'safe' }),
      run: () => shown(content()),
    }),
};

for (const [style, reader] of Object.entries(READERS))
  for (const kind of [Kind.Read, Kind.Search, Kind.Fetch])
    test(`a ${kind} tool (${style}) that names no location reads between the writes around it [S2]`, async () => {
      const tools = [slowWrite(), reader(kind)];
      const { session } = await sessionWith(tools, {
        targetDir: place.workspace,
        approvalMode: ApprovalMode.YOLO,
      });
      const show = { name: 'deploy', args: { target: 'eu' } };
      const ended = await session.schedule([
        { name: 'slow_write', args: { text: 'new' } },
        show,
        { name: 'slow_write', args: { text: 'newer' } },
        show,
        show,
      ]);
      const results = ended.ok ? ended.calls.map((call) => 'result' in call && call.result.llmContent) : [];
      expect(results).toEqual(['written', 'new', 'written', 'newer', 'newer']);
      await session.dispose();
    });
