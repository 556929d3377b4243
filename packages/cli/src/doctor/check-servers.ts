import type { InForce } from '../compose/in-force.js';
import type { Io } from '../io/io.js';
import { inspectServers, stateText } from '../mcp/inspect-servers.js';
import { type Check, note, ok, problem } from './check.js';

/** Whether the configured MCP servers can be used. Sessions continue without those that cannot. Null if a signal ended the check. */
export async function checkServers(
  inForce: InForce | null,
  workspace: string,
  io: Io,
): Promise<readonly Check[] | null> {
  const reports = inForce ? await inspectServers(inForce, workspace, io) : [];
  if (reports === null) return null;
  if (reports.length === 0) return [ok('MCP', 'No servers are configured.')];
  return reports.flatMap((report) => {
    const { name, status, problems } = report;
    const state = `${name}: ${stateText(report)}`;
    return [
      status.state === 'connected'
        ? ok('MCP', state)
        : problem('MCP', state, `Fix "${name}" in "mcpServers" of the settings, or remove it.`),
      ...problems.map((text) => note('MCP', `${name}: ${text}`, `Check "${name}" in "mcpServers".`)),
    ];
  });
}
