import { visibleLine } from '@countersign/display';
import { Toolbox } from '@countersign/engine';
import type { ServerReport } from '@countersign/mcp';
import { builtInTools } from '@countersign/tools';
import { configuredServers } from '../compose/compose.js';
import type { InForce } from '../compose/in-force.js';
import { type SeenServer, SessionServers } from '../compose/session-servers.js';
import { untilInterrupted } from '../io/interruption.js';
import type { Io } from '../io/io.js';

/** Timeout for all servers to start; `npx` may have to download one. */
const LOOK_MS = 20_000;

/** Starts the servers that a session here would have, reads their status, and stops them; null if a signal ended that. */
export async function inspectServers(
  { settings, doubtAboutServer }: Pick<InForce, 'settings' | 'doubtAboutServer'>,
  workspace: string,
  io: Io,
): Promise<readonly SeenServer[] | null> {
  const configured = configuredServers(settings);
  if (Object.keys(configured).length === 0) return [];
  const place = {
    toolbox: new Toolbox(builtInTools()),
    workspace,
    env: io.env,
    storeDirectory: null,
    doubt: doubtAboutServer,
    onMessage: () => {},
  };
  return untilInterrupted(io, async (interrupted) => {
    const servers = new SessionServers({ configured, given: {} }, place);
    const looking = servers.ready(LOOK_MS).then(() => servers.inspect());
    // After an interruption nobody waits for it.
    looking.catch(() => undefined);
    const stopped = new Promise<null>((resolve) => {
      interrupted.addEventListener('abort', () => resolve(null));
    });
    try {
      return await Promise.race([looking, stopped]);
    } finally {
      await servers.close();
    }
  });
}

/** The status of a server in a few words. */
export function stateText({ status, transport, tools, trust }: ServerReport): string {
  const how = transport === null ? '' : ` over ${transport === 'detect' ? 'HTTP' : transport}`;
  switch (status.state) {
    case 'connected':
      return `connected${how}, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${trust ? ', trusted' : ''}`;
    case 'connecting':
      return `has not answered yet${how}`;
    case 'disconnected':
    case 'failed':
      return `${status.state}: it ${status.reason}`;
  }
}

const LOG_LINES_SHOWN = 5;
const RESOURCES_SHOWN = 10;

/** The full status of a server, line by line. */
export function serverLines(server: SeenServer): readonly string[] {
  const { name, description, status, tools, prompts, resources, lastLoss, problems, log, stderr } = server;
  const more = resources.length - RESOURCES_SHOWN;
  const isLost = status.state === 'failed' || status.state === 'disconnected';
  return [
    `${name}: ${stateText(server)}`,
    ...(description === '' ? [] : [`  ${description}`]),
    ...tools.map((tool) => `  ${tool}`),
    ...prompts.map((prompt) => `  prompt: ${prompt}`),
    ...resources.slice(0, RESOURCES_SHOWN).map((uri) => `  resource: ${uri}`),
    ...(more > 0 ? [`  and ${more} more resources`] : []),
    ...(lastLoss !== null && !isLost ? [`  last error: it ${lastLoss}`] : []),
    ...problems.map((problem) => `  problem: ${problem}`),
    ...log.slice(-LOG_LINES_SHOWN).map((line) => `  log: ${line}`),
    ...(isLost ? lastLines(stderr).map((line) => `  printed: ${line}`) : []),
  ].map(visibleLine);
}

const lastLines = (text: string): readonly string[] =>
  text.trimEnd().split('\n').filter(Boolean).slice(-LOG_LINES_SHOWN);

/** The status of a server as JSON. */
export const serverObject = ({ status, log, ...server }: SeenServer) => ({
  ...server,
  ...status,
  log: log.slice(-LOG_LINES_SHOWN),
});
