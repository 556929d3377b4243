import type { PolicyDecision } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { ownName, ruleNamesTool } from './tool-pattern.js';

const DECISIONS: readonly PolicyDecision[] = ['allow', 'ask_user', 'deny'];
const builtIn = (name: string) => ({ name, mcp: null });
const offered = (server: string, tool: string) => ({ name: `mcp_${server}_${tool}`, mcp: { server, tool } });
const rule = (pattern: string, decision: PolicyDecision = 'deny', mcpServer: string | null = null) => ({
  tools: [pattern],
  decision,
  mcpServer,
});

test('a pattern for server "a" never mentions server "a_b", whatever the rule decides [P2]', () => {
  for (const decision of DECISIONS) {
    expect(ruleNamesTool(rule('mcp_a_*', decision), offered('a', 'read'))).toBe(true);
    expect(ruleNamesTool(rule('mcp_a_*', decision), offered('a', 'b_read'))).toBe(true);
    expect(ruleNamesTool(rule('mcp_a_*', decision), offered('a_b', 'read'))).toBe(false);
  }
});

test('an allowed server is not impersonated by a tool that another server named alike [P2]', () => {
  const impostor = offered('a', 'b_read');
  expect(ruleNamesTool(rule('mcp_a_b_*', 'allow'), offered('a_b', 'read'))).toBe(true);
  expect(ruleNamesTool(rule('mcp_a_b_*', 'allow'), impostor)).toBe(false);
  // Forbidding counts under both readings.
  expect(ruleNamesTool(rule('mcp_a_b_*', 'deny'), impostor)).toBe(true);
});

test('globs that other agents silently ignore mention what they look like [P2]', () => {
  expect(ruleNamesTool(rule('read_*'), builtIn('read_file'))).toBe(true);
  expect(ruleNamesTool(rule('discovered_tool_*'), builtIn('discovered_tool_x'))).toBe(true);
  for (const decision of DECISIONS) {
    expect(ruleNamesTool(rule('mcp_*_echo', decision), offered('srv', 'echo'))).toBe(true);
    expect(ruleNamesTool(rule('mcp_*', decision), offered('srv', 'echo'))).toBe(true);
    expect(ruleNamesTool(rule('mcp_*', decision), builtIn('read_file'))).toBe(false);
    expect(ruleNamesTool(rule('*', decision), offered('srv', 'echo'))).toBe(true);
    expect(ruleNamesTool(rule('*', decision), builtIn('read_file'))).toBe(true);
  }
  expect(ruleNamesTool(rule('mcp_*_echo', 'allow'), offered('srv', 'loud_echo'))).toBe(false);
  expect(ruleNamesTool(rule('mcp_*_echo', 'deny'), offered('srv', 'loud_echo'))).toBe(true);
});

test('with a server the tool is named as on that server, and built-in tools are not meant [P2]', () => {
  expect(ruleNamesTool(rule('search', 'allow', 'jira'), offered('jira', 'search'))).toBe(true);
  expect(ruleNamesTool(rule('mcp_jira_search', 'allow', 'jira'), offered('jira', 'search'))).toBe(true);
  expect(ruleNamesTool(rule('search', 'allow', 'jira'), offered('other', 'search'))).toBe(false);
  expect(ruleNamesTool(rule('search', 'allow', 'jira'), builtIn('search'))).toBe(false);
  expect(ruleNamesTool(rule('*', 'allow', '*'), offered('other', 'search'))).toBe(true);
  expect(ruleNamesTool(rule('*', 'allow', '*'), builtIn('search'))).toBe(false);
});

test('a tool whose full name had to be shortened is still found by server and own name [P2]', () => {
  const own = 'o'.repeat(80);
  const shortened = { name: 'mcp_jira_ooo...ooo', mcp: { server: 'jira', tool: own } };
  expect(ruleNamesTool(rule(own, 'deny', 'jira'), shortened)).toBe(true);
  expect(ruleNamesTool(rule('mcp_jira_*', 'deny'), shortened)).toBe(true);
});

test('a server with blanks is denied by the spelling seen in tool names, and not allowed by it [P2]', () => {
  const spaced = { name: 'mcp_my_server_read', mcp: { server: 'my server', tool: 'read' } };
  expect(ruleNamesTool(rule('mcp_my_server_*', 'deny'), spaced)).toBe(true);
  expect(ruleNamesTool(rule('mcp_my_server_*', 'allow'), spaced)).toBe(false);
});

test('the own name of a tool is its full name without the server', () => {
  expect(ownName('mcp_jira_search', 'jira')).toBe('search');
  expect(ownName('mcp_my_server_read', 'my server')).toBe('read');
  expect(ownName('mcp_other_read', 'jira')).toBe('mcp_other_read');
});
