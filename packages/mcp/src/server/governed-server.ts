import type { JsonObject } from '@countersign/protocol';
import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { inOneLine } from '../in-words.js';
import { type AgentCall, carryOut } from './carry-out.js';
import type { GovernedSession } from './governed-session.js';
import { toolListing } from './tool-listing.js';

const INSTRUCTIONS =
  `Every call is judged by the policy of the person whose machine this is, and written down. Some calls wait until a person
has answered, which may take minutes: send a progress token to be told so meanwhile, and cancel a request that is no
longer wanted. A call that was declined says why; do not send it again unchanged.`.replaceAll('\n', ' ');

const CLIENT_CHARS_MAX = 100; // of a name that goes into the journal

/**
 * A session as an MCP server: its tools under its policy. `opening` may take its time: whoever connects is greeted at
 * once and waits only for what it asks for.
 */
export function governedServer(opening: Promise<GovernedSession>, version: string): Server {
  // Told to whoever asks for something, and to nobody before.
  opening.catch(() => undefined);
  const server = new Server(
    { name: 'countersign', title: 'Countersign', version },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: toolListing(await opening) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    // It came over the wire, so that it is JSON.
    return carryOut({ name, args: args as JsonObject, ...asked(server, context) }, await opening);
  });
  let stopFollowing: (() => void) | null = null;
  server.oninitialized = () => {
    opening.then(
      (governed) => {
        stopFollowing ??= followTools(governed, server);
      },
      () => undefined,
    );
  };
  server.onclose = () => stopFollowing?.();
  return server;
}

function asked(server: Server, { mcpReq }: ServerContext): Omit<AgentCall, 'name' | 'args'> {
  const token = mcpReq._meta?.progressToken;
  const info = server.getClientVersion();
  const client = inOneLine(info ? `${info.name} ${info.version}` : 'an MCP client', CLIENT_CHARS_MAX);
  const onProgress: AgentCall['onProgress'] =
    token === undefined
      ? null
      : (note) => {
          const params = { progressToken: token, ...note };
          // A client that is gone hears nothing more.
          mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
        };
  return { client, signal: mcpReq.signal, onProgress };
}

/** Tells the client when what it may call is no longer what it was. */
function followTools(governed: GovernedSession, server: Server): () => void {
  const names = () => JSON.stringify(toolListing(governed));
  let known = names();
  const look = () => {
    const now = names();
    if (now === known) return;
    known = now;
    server.sendToolListChanged().catch(() => undefined);
  };
  const stopListening = governed.listen({
    onFacts: (facts) => {
      if (facts.some(({ event }) => event.type === 'mode.changed')) look();
    },
  });
  const stopWatching = governed.onToolsChanged(look);
  return () => {
    stopListening();
    stopWatching();
  };
}
