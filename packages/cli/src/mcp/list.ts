import { visibleLine } from '@countersign/kernel';
import type { ServerReport } from '@countersign/mcp';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { sayings } from '../failure-text.js';
import { inForce } from '../in-force.js';
import { type Io, printJson, say } from '../io.js';
import { expectNoMore, readOptions } from '../options.js';
import { realWorkspace } from '../places.js';
import { lookAtServers, stateText } from './look-at-servers.js';

const LOG_LINES_SHOWN = 5;

/** `countersign mcp list`: the servers that a session here has, and how it is with each. */
export async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('mcp', args, {
    json: { type: 'boolean' },
    workspace: { type: 'string' },
  });
  expectNoMore('mcp', positionals);
  const workspace = await realWorkspace(values.workspace ?? io.cwd);
  const { env } = io;
  const { onNotice, onMessage } = sayings(io);
  const here = await inForce({ workspace, env, flags: {}, onNotice, onUntrusted: onMessage });
  const reports = await lookAtServers(here, workspace, env);
  for (const report of reports) {
    if (values.json) printJson(io, lineOf(report));
    else io.stdout.write(`${textOf(report)}\n`);
  }
  if (reports.length === 0 && !values.json)
    say(io, 'No MCP server is set up. They go into "mcpServers" of settings.json.');
  return reports.every(({ status }) => status.state === 'connected') ? EXIT.ok : EXIT.notAll;
}

function lineOf({ status, log, ...report }: ServerReport) {
  return { ...report, ...status, log: log.slice(-LOG_LINES_SHOWN) };
}

function textOf(report: ServerReport): string {
  const { name, description, tools, problems, log } = report;
  return [
    `${name}: ${stateText(report)}`,
    ...(description === '' ? [] : [`  ${description}`]),
    ...tools.map((tool) => `  ${tool}`),
    ...problems.map((problem) => `  problem: ${problem}`),
    ...log.slice(-LOG_LINES_SHOWN).map((line) => `  log: ${line}`),
  ]
    .map(visibleLine)
    .join('\n');
}
