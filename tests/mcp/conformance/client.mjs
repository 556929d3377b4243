// The program as a client for the official conformance suite: conformance-client.mjs URL
// Calls what the scenario in MCP_CONFORMANCE_SCENARIO is about through `countersign exec`, and agrees to everything.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../packages/cli/bin/countersign.js', import.meta.url));
/** @type {{ readonly [scenario: string]: { readonly name: string, readonly args: object } | undefined }} */
const CALLS = {
  tools_call: { name: 'mcp_suite_add_numbers', args: { a: 5, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'mcp_suite_test_client_elicitation_defaults', args: {} },
  'sse-retry': { name: 'mcp_suite_test_reconnection', args: {} },
};
// Servers are started for a call: where the scenario is about none, one of a tool that is not there does it.
const call = CALLS[process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''] ?? {
  name: 'mcp_suite_test-tool',
  args: {},
};

const base = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
const home = join(base, 'home');
mkdirSync(home);
const workspace = join(base, 'workspace');
mkdirSync(workspace);
writeFileSync(
  join(home, 'settings.json'),
  JSON.stringify({ mcpServers: { suite: { url: process.argv.at(-1), type: 'http' } } }),
);
const child = spawn(process.execPath, [PROGRAM, 'exec', '--approvals', 'stdio', '--workspace', workspace], {
  env: { ...process.env, COUNTERSIGN_HOME: home },
  stdio: ['pipe', 'pipe', 'inherit'],
});
child.stdin.write(`${JSON.stringify(call)}\n`);
for await (const line of createInterface({ input: child.stdout })) {
  console.log(line);
  const { type, id, digest, status } = JSON.parse(line);
  if (type === 'approval')
    child.stdin.write(
      `${JSON.stringify({ type: 'answer', id, digest, outcome: 'proceed_once', payload: { answers: {} } })}\n`,
    );
  if (status !== undefined) child.stdin.end();
}
rmSync(base, { recursive: true, force: true });
