import { covers } from '@countersign/kernel';
import type { GrantPattern, Plan } from '@countersign/protocol';
import { expect, test } from 'vitest';
import type { PolicyUpdateOptions } from '../types/tool-types.js';
import { narrowedGrant } from './narrow-grant.js';

const edits: GrantPattern = { kind: 'edits' };
const tool: GrantPattern = { kind: 'tool', tool: 'deploy' };
const server: GrantPattern = { kind: 'mcp-server', server: 's' };
const serverTool: GrantPattern = { kind: 'mcp-tool', server: 's', tool: 't' };
const narrowed = (offered: GrantPattern, wanted?: PolicyUpdateOptions) =>
  narrowedGrant(offered, wanted, 'deploy');

test('a tool that wants nothing less gets what was offered [P6] [E2]', () => {
  for (const offered of [edits, tool, server, serverTool]) {
    expect(narrowed(offered)).toBe(offered);
    expect(narrowed(offered, {})).toBe(offered);
  }
});

test('a tool may take less than was offered [P6] [E2]', () => {
  expect(narrowed(edits, { toolName: 'deploy' })).toEqual(tool);
  expect(narrowed(server, { mcpName: 's', toolName: 't' })).toEqual(serverTool);
});

test('options outside the offer, or that no grant can express, grant nothing beyond the call [P6] [E2]', () => {
  expect(narrowed(tool, { toolName: 'other' })).toBeNull();
  expect(narrowed(edits, { toolName: 'other' })).toBeNull();
  expect(narrowed(edits, { mcpName: 's' })).toBeNull();
  expect(narrowed(serverTool, { toolName: 'u' })).toBeNull();
  expect(narrowed(server, { mcpName: 'other' })).toBeNull();
  expect(narrowed(tool, { commandPrefix: 'git log' })).toBeNull();
  expect(narrowed(tool, { argsPattern: '"target":"eu"' })).toBeNull();
});

test('nothing that the offer would not have covered is covered by what is left [P6]', () => {
  const calls: { readonly tool: string; readonly plan: Pick<Plan, 'kind' | 'resources'> }[] = [
    {
      tool: 'deploy',
      plan: {
        kind: 'edit',
        resources: [{ kind: 'fs.write', path: '/ws/a', scope: 'file', place: 'workspace', guarded: null }],
      },
    },
    { tool: 'deploy', plan: { kind: 'edit', resources: [{ kind: 'opaque', why: '' }] } },
    {
      tool: 'other',
      plan: {
        kind: 'edit',
        resources: [{ kind: 'fs.write', path: '/ws/a', scope: 'file', place: 'workspace', guarded: null }],
      },
    },
    {
      tool: 'mcp_s_t',
      plan: { kind: 'other', resources: [{ kind: 'mcp', server: 's', tool: 't', access: 'write' }] },
    },
    {
      tool: 'mcp_s_u',
      plan: { kind: 'other', resources: [{ kind: 'mcp', server: 's', tool: 'u', access: 'write' }] },
    },
  ];
  const requests: PolicyUpdateOptions[] = [
    {},
    { toolName: 'deploy' },
    { toolName: 't' },
    { toolName: 'other' },
    { mcpName: 's' },
    { mcpName: 's', toolName: 't' },
  ];
  for (const offered of [edits, tool, server, serverTool])
    for (const wanted of requests) {
      const left = narrowed(offered, wanted);
      for (const call of calls)
        expect(
          left !== null &&
            covers(left, { ...call, asking: null }) &&
            !covers(offered, { ...call, asking: null }),
        ).toBe(false);
    }
});
