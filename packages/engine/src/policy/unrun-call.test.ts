import { compilePolicy, type Rule } from '@countersign/kernel';
import { expect, test } from 'vitest';
import type { Tool } from '../tool/tool.js';
import { Toolbox } from '../tool/toolbox.js';
import { supposeCall } from './unrun-call.js';

const look: Tool = {
  name: 'mcp_srv_look',
  displayName: 'look',
  description: '',
  kind: 'other',
  inputSchema: { type: 'object' },
  canUpdateOutput: false,
  mcpServer: 'srv',
  check: (args) => ({ ok: true, args }),
  plan: () =>
    Promise.resolve({
      title: 'look',
      resources: [{ kind: 'mcp', server: 'srv', tool: 'look', access: 'write' }],
      repeat: 'unsafe',
      annotations: { readOnlyHint: true },
    }),
  run: () => Promise.reject(new Error('it is not run')),
};

const asks: Rule = {
  ref: { name: null, tier: 'user', priority: 1, file: 'p.toml', line: 1 },
  tools: ['*'],
  mcpServer: 'srv',
  args: null,
  command: null,
  annotations: null,
  decision: 'ask_user',
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
};

test('a call that is only checked is judged by the annotations of its tool, as one that runs [P7]', async () => {
  const call = {
    tool: 'mcp_srv_look',
    args: {},
    mcpServer: null,
    annotations: null,
    origin: 'client',
    mode: 'plan',
    attended: true,
    subagent: null,
  } as const;
  const classify = () => ({ place: 'workspace', guarded: null }) as const;
  const { subject } = await supposeCall(call, { tools: new Toolbox([look]), workspace: '/', classify });
  expect(compilePolicy([asks], 'h').judge(subject)).toMatchObject({ decision: 'ask_user', rule: asks.ref });
});
