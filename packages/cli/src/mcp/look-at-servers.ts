import { Toolbox } from '@countersign/engine';
import type { ServerReport } from '@countersign/mcp';
import { builtInTools } from '@countersign/tools';
import { configuredServers } from '../compose.js';
import type { InForce } from '../in-force.js';
import { SessionServers } from './session-servers.js';

/** What a person who looks is willing to wait; `npx` may have to fetch a server first. */
const LOOK_MS = 20_000;

/** Starts the servers that a session here would have, looks at them, and ends them again. */
export async function lookAtServers(
  { settings, doubtAboutServer }: Pick<InForce, 'settings' | 'doubtAboutServer'>,
  workspace: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly ServerReport[]> {
  const configured = configuredServers(settings);
  if (Object.keys(configured).length === 0) return [];
  const place = {
    toolbox: new Toolbox(builtInTools()),
    workspace,
    env,
    storeDirectory: null,
    doubt: doubtAboutServer,
    onMessage: () => {},
  };
  const servers = new SessionServers({ configured, given: {} }, place);
  try {
    await servers.ready(LOOK_MS);
    return servers.status();
  } finally {
    await servers.close();
  }
}

/** How it is with a server, in a few words. */
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
