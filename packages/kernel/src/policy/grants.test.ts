import type { Because, Confirmation, GrantPattern, Offer, Plan, Resource } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { covers, grantFrom, offersFor } from './grants.js';

type Planned = Pick<Plan, 'kind' | 'resources'>;

const write = (
  path: string,
  parts: { place?: 'workspace' | 'outside'; guarded?: string } = {},
): Resource => ({
  kind: 'fs.write',
  path,
  scope: 'file',
  place: parts.place ?? 'workspace',
  guarded: parts.guarded ?? null,
});
const read = (path: string, place: 'workspace' | 'outside' = 'workspace'): Resource => ({
  kind: 'fs.read',
  path,
  scope: 'file',
  place,
  guarded: null,
});
const net = (host: string, access: 'read' | 'write' = 'read'): Resource => ({ kind: 'net', host, access });
const mcp = (server: string, tool: string): Resource => ({ kind: 'mcp', server, tool, access: 'write' });
const opaque: Resource = { kind: 'opaque', why: 'unknown effects' };

const editing: Planned = { kind: 'edit', resources: [write('/w/a.ts')] };
const fetching: Planned = { kind: 'fetch', resources: [net('example.com')] };
const calling: Planned = { kind: 'other', resources: [mcp('jira', 'search')] };

const edit: Confirmation = {
  type: 'edit',
  title: 't',
  fileName: 'a.ts',
  filePath: '/w/a.ts',
  fileDiff: '',
  originalContent: null,
  newContent: '',
  diffStat: { added: 0, removed: 0 },
};
const exec: Confirmation = {
  type: 'exec',
  title: 't',
  command: 'ls',
  rootCommand: 'ls',
  rootCommands: ['ls'],
  directory: '/w',
  riskLevel: 'low',
  riskReasons: [],
};
const server: Confirmation = {
  type: 'mcp',
  title: 't',
  serverName: 'jira',
  toolName: 'search',
  toolDisplayName: 'search',
  toolArgs: {},
  toolDescription: '',
};
const info: Confirmation = { type: 'info', title: 't', prompt: 'p', urls: ['https://example.com/'] };

function offers(
  confirmation: Confirmation,
  plan: Planned,
  tool: string,
  because: Because = 'default',
): readonly Offer[] {
  const verdict = { decision: 'ask_user', rule: null, reason: 'r', matched: null, because } as const;
  return offersFor({ confirmation, plan, tool, verdict, asking: null });
}
const outcomes = (...asked: Parameters<typeof offers>) => offers(...asked).map(({ outcome }) => outcome);
const lasting = (...asked: Parameters<typeof offers>) =>
  offers(...asked).flatMap(({ grant }) => (grant ? [grant] : []));

describe('what a question offers', () => {
  test('an edit: once, this session, this workspace, modify, cancel [A2]', () => {
    expect(offers(edit, editing, 'write_file')).toEqual([
      { outcome: 'proceed_once', grant: null },
      {
        outcome: 'proceed_always',
        grant: {
          pattern: { kind: 'edits' },
          scope: 'session',
          scopes: ['session', 'project', 'user'],
          text: 'edits of files inside the workspace, for this session',
        },
      },
      {
        outcome: 'proceed_always_and_save',
        grant: {
          pattern: { kind: 'edits' },
          scope: 'project',
          scopes: ['session', 'project', 'user'],
          text: 'edits of files inside the workspace, in every session of this workspace',
        },
      },
      { outcome: 'modify_with_editor', grant: null },
      { outcome: 'cancel', grant: null },
    ]);
  });

  test('a command: once, modify, cancel, as long as its commands cannot be named [A2] [P6]', () => {
    const plan: Planned = { kind: 'execute', resources: [opaque] };
    expect(outcomes(exec, plan, 'run_shell_command')).toEqual([
      'proceed_once',
      'modify_with_editor',
      'cancel',
    ]);
  });

  test('what cannot be done as it is shown: no yes at all, but it can be put right [A2] [A7]', () => {
    const plan: Planned = { kind: 'execute', resources: [opaque] };
    for (const command of ['echo hi\0; rm x', 'echo \ud800'])
      expect(outcomes({ ...exec, command }, plan, 'run_shell_command')).toEqual([
        'modify_with_editor',
        'cancel',
      ]);
    expect(outcomes({ ...info, urls: ['\0'] }, fetching, 'web_fetch')).toEqual(['cancel']);
    expect(outcomes({ ...edit, newContent: '\udfff' }, editing, 'write_file')).toEqual([
      'modify_with_editor',
      'cancel',
    ]);
  });

  test('an MCP tool: once, the tool, its server, saved, modify, cancel [A2]', () => {
    expect(outcomes(server, calling, 'mcp_jira_search')).toEqual([
      'proceed_once',
      'proceed_always_tool',
      'proceed_always_server',
      'proceed_always_and_save',
      'modify_with_editor',
      'cancel',
    ]);
    const own = { kind: 'mcp-tool', server: 'jira', tool: 'search' };
    expect(lasting(server, calling, 'mcp_jira_search')).toEqual([
      { pattern: own, scope: 'session', text: 'calls of search on the MCP server jira, for this session' },
      {
        pattern: { kind: 'mcp-server', server: 'jira' },
        scope: 'session',
        text: 'calls of every tool on the MCP server jira, for this session',
      },
      {
        pattern: own,
        scope: 'project',
        text: 'calls of search on the MCP server jira, in every session of this workspace',
      },
    ]);
  });

  test('reading from one host: once, that host, cancel [A2]', () => {
    expect(outcomes(info, fetching, 'web_fetch')).toEqual(['proceed_once', 'proceed_always', 'cancel']);
    expect(lasting(info, fetching, 'web_fetch')).toEqual([
      {
        pattern: { kind: 'host', tool: 'web_fetch', host: 'example.com' },
        scope: 'session',
        text: 'calls of web_fetch that read from example.com, for this session',
      },
    ]);
  });

  test('several hosts, or sending to one, are asked about each time [A2]', () => {
    const once = ['proceed_once', 'cancel'];
    expect(outcomes(info, { kind: 'fetch', resources: [net('a'), net('b')] }, 'web_fetch')).toEqual(once);
    expect(outcomes(info, { kind: 'fetch', resources: [net('a', 'write')] }, 'web_fetch')).toEqual(once);
  });

  test('a tool without a pattern of its own: itself, if its effects are known [A2] [P6]', () => {
    const known: Planned = { kind: 'other', resources: [write('/w/notes')] };
    expect(lasting(info, known, 'take_note')).toEqual([
      {
        pattern: { kind: 'tool', tool: 'take_note' },
        scope: 'session',
        text: 'calls of take_note that touch nothing but files inside the workspace, for this session',
      },
    ]);
    expect(lasting(info, { kind: 'other', resources: [opaque] }, 'take_note')).toEqual([]);
    for (const kind of ['execute', 'delete'] as const) {
      expect(lasting(info, { kind, resources: [write('/w/a')] }, 'remove')).toEqual([]);
    }
  });

  test('questions that are the tool itself: answer or cancel [A2]', () => {
    const nothing: Planned = { kind: 'communicate', resources: [] };
    const asked: Confirmation = { type: 'ask_user', title: 't', questions: [] };
    const plan: Confirmation = { type: 'exit_plan_mode', title: 't', planPath: 'p', plan: '' };
    expect(outcomes(asked, nothing, 'ask_user')).toEqual(['proceed_once', 'cancel']);
    expect(outcomes(plan, nothing, 'exit_plan_mode')).toEqual(['proceed_once', 'cancel']);
  });

  test('nothing lasts where a guard or confirm_always asks, or a path is protected or outside [P5] [P6]', () => {
    for (const because of ['guard', 'mode'] as const) {
      expect(lasting(edit, editing, 'write_file', because)).toEqual([]);
      expect(lasting(server, calling, 'mcp_jira_search', because)).toEqual([]);
      expect(lasting(info, fetching, 'web_fetch', because)).toEqual([]);
    }
    const risky = [
      write('/w/.env', { guarded: 'secrets' }),
      write('/etc/x', { place: 'outside' }),
      read('/etc/x', 'outside'),
    ];
    for (const resource of risky) {
      const beside = ({ kind, resources }: Planned): Planned => ({
        kind,
        resources: [...resources, resource],
      });
      expect(lasting(edit, beside(editing), 'write_file')).toEqual([]);
      expect(lasting(server, beside(calling), 'mcp_jira_search')).toEqual([]);
      expect(lasting(info, beside(fetching), 'web_fetch')).toEqual([]);
      expect(lasting(info, { kind: 'other', resources: [resource] }, 'take_note')).toEqual([]);
    }
  });
});

describe('what a grant covers', () => {
  const covered = (pattern: GrantPattern, tool: string, plan: Planned) =>
    covers(pattern, { tool, plan, asking: null });

  test('every lasting offer covers the call it was shown with [P6]', () => {
    const asked = [
      [edit, editing, 'write_file'],
      [server, calling, 'mcp_jira_search'],
      [info, fetching, 'web_fetch'],
      [info, { kind: 'other', resources: [] }, 'take_note'],
    ] as const;
    for (const [confirmation, plan, tool] of asked) {
      const grants = lasting(confirmation, plan, tool);
      expect(grants.length).toBeGreaterThan(0);
      for (const { pattern } of grants) expect(covered(pattern, tool, plan)).toBe(true);
    }
  });

  test('edits: any tool that edits ordinary workspace files, and nothing else [P6]', () => {
    const pattern = { kind: 'edits' } as const;
    expect(covered(pattern, 'replace', { kind: 'edit', resources: [read('/w/b'), write('/w/b')] })).toBe(
      true,
    );
    expect(covered(pattern, 'remove', { kind: 'delete', resources: [write('/w/a')] })).toBe(false);
    expect(covered(pattern, 'write_file', { kind: 'edit', resources: [] })).toBe(false);
    for (const more of [
      opaque,
      net('h'),
      mcp('s', 't'),
      write('/x', { place: 'outside' }),
      write('/w/.git', { guarded: 'g' }),
    ]) {
      expect(covered(pattern, 'write_file', { kind: 'edit', resources: [write('/w/a'), more] })).toBe(false);
    }
  });

  test('a tool: that tool, while it stays inside the workspace [P6]', () => {
    const pattern = { kind: 'tool', tool: 'take_note' } as const;
    expect(covered(pattern, 'take_note', { kind: 'other', resources: [write('/w/other')] })).toBe(true);
    expect(covered(pattern, 'take_notes', { kind: 'other', resources: [] })).toBe(false);
    for (const more of [
      opaque,
      net('h'),
      mcp('s', 't'),
      read('/x', 'outside'),
      write('/w/.env', { guarded: 'g' }),
    ]) {
      expect(covered(pattern, 'take_note', { kind: 'other', resources: [more] })).toBe(false);
    }
  });

  test('an MCP tool or server: as a pair, never by a name that looks alike [P6]', () => {
    const plan = (name: string, tool: string): Planned => ({ kind: 'other', resources: [mcp(name, tool)] });
    const tool = { kind: 'mcp-tool', server: 'a', tool: 'b_read' } as const;
    expect(covered(tool, 'mcp_a_b_read', plan('a', 'b_read'))).toBe(true);
    expect(covered(tool, 'mcp_a_b_read', plan('a_b', 'read'))).toBe(false);
    expect(covered(tool, 'mcp_a_c', plan('a', 'c'))).toBe(false);
    const all = { kind: 'mcp-server', server: 'a' } as const;
    expect(covered(all, 'mcp_a_c', plan('a', 'c'))).toBe(true);
    expect(covered(all, 'mcp_a_b_read', plan('a_b', 'read'))).toBe(false);
    expect(covered(all, 'write_file', editing)).toBe(false);
    expect(covered(all, 'mcp_a_c', { kind: 'other', resources: [mcp('a', 'c'), mcp('z', 'c')] })).toBe(false);
  });

  test('a host: that tool reading from exactly that host [P6]', () => {
    const pattern = { kind: 'host', tool: 'web_fetch', host: 'example.com' } as const;
    expect(covered(pattern, 'web_fetch', fetching)).toBe(true);
    expect(covered(pattern, 'other_fetch', fetching)).toBe(false);
    for (const host of ['evil.example.com', 'example.com.evil.net', 'example.org']) {
      expect(covered(pattern, 'web_fetch', { kind: 'fetch', resources: [net(host)] })).toBe(false);
      expect(
        covered(pattern, 'web_fetch', { kind: 'fetch', resources: [net('example.com'), net(host)] }),
      ).toBe(false);
    }
    expect(covered(pattern, 'web_fetch', { kind: 'fetch', resources: [net('example.com', 'write')] })).toBe(
      false,
    );
    expect(
      covered(pattern, 'web_fetch', { kind: 'fetch', resources: [net('example.com'), write('/w/a')] }),
    ).toBe(false);
    expect(covered(pattern, 'web_fetch', { kind: 'fetch', resources: [] })).toBe(false);
  });
});

describe('the grant an answer makes', () => {
  const making = { id: 'g1', by: 'anna', at: 1000, sessionId: 's1', workspace: '/w' };
  const offered = (scope: 'session' | 'project') =>
    ({ pattern: { kind: 'edits' }, scope, text: 'edits' }) as const;

  test('is exactly what was offered, if the answer says no more [P6]', () => {
    const { id, by, at } = making;
    const base = { id, by, at, pattern: { kind: 'edits' }, uses: null, expiresAt: null };
    expect(grantFrom(offered('session'), {}, making)).toEqual({
      ok: true,
      grant: { ...base, scope: 'session', scopeKey: 's1' },
    });
    expect(grantFrom(offered('project'), {}, making)).toEqual({
      ok: true,
      grant: { ...base, scope: 'project', scopeKey: '/w' },
    });
  });

  test('may be narrowed in scope, time and uses [P6]', () => {
    const made = grantFrom(offered('project'), { scope: 'session', expiresAt: 2000, uses: 2 }, making);
    expect(made).toMatchObject({
      ok: true,
      grant: { scope: 'session', scopeKey: 's1', expiresAt: 2000, uses: 2 },
    });
  });

  test('is never broader than shown [P6]', () => {
    expect(grantFrom(offered('session'), { scope: 'project' }, making).ok).toBe(false);
    expect(grantFrom(offered('session'), { scope: 'user' }, making).ok).toBe(false);
    expect(grantFrom(offered('project'), { scope: 'user' }, making)).toEqual({
      ok: false,
      problem: 'the scope "user" is not offered for it; offered: session, project',
    });
  });

  test('reaches as far as the offer lists, if the answer asks for that [P6]', () => {
    const wide = { ...offered('session'), scopes: ['session', 'project', 'user'] } as const;
    expect(grantFrom(wide, {}, making)).toMatchObject({ grant: { scope: 'session', scopeKey: 's1' } });
    expect(grantFrom(wide, { scope: 'user' }, making)).toMatchObject({
      ok: true,
      grant: { scope: 'user', scopeKey: '' },
    });
  });

  test('needs a time to come and at least one whole use [P6]', () => {
    for (const uses of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(grantFrom(offered('session'), { uses }, making).ok).toBe(false);
    }
    for (const expiresAt of [1000, 999, 0, 1000.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(grantFrom(offered('session'), { expiresAt }, making).ok).toBe(false);
    }
    expect(grantFrom(offered('session'), { uses: 1, expiresAt: 1001 }, making).ok).toBe(true);
  });
});
