import { inForce } from '../compose/in-force.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { messageHandlers } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { inspectServers, serverLines, serverObject } from './inspect-servers.js';

/** `countersign mcp list`: the MCP servers of a session here, with their status. */
export async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('mcp', args, {
    json: { type: 'boolean' },
    workspace: { type: 'string' },
  });
  expectNoMore('mcp', positionals);
  const workspace = await realWorkspace(values.workspace ?? io.cwd);
  const { env } = io;
  const { onNotice, onMessage } = messageHandlers(io);
  const here = await inForce({ workspace, env, flags: {}, onNotice, onUntrusted: onMessage });
  const reports = await inspectServers(here, workspace, io);
  if (reports === null) return EXIT.interrupted;
  for (const report of reports) {
    if (values.json) printJson(io, serverObject(report));
    else io.stdout.write(`${serverLines(report).join('\n')}\n`);
  }
  if (reports.length === 0 && !values.json)
    say(io, 'No MCP servers are configured. Add them to "mcpServers" in settings.json.');
  return reports.every(({ status }) => status.state === 'connected') ? EXIT.ok : EXIT.notAll;
}
