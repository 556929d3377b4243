import type { JsonObject } from '@countersign/protocol';
import { CLIENT_INFO_META_KEY, Server, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { inOneLine } from '../text/in-words.js';
import { type AgentCall, carryOut } from './carry-out.js';
import type { GovernedSession } from './governed-session.js';
import { toolListing } from './tool-listing.js';

const INSTRUCTIONS =
  `Every call is checked against the policy of this machine's user and recorded. Some calls wait until the user
has approved them, which may take minutes: send a progress token to receive updates, and cancel a request that is no
longer needed. The result of a declined call states the reason; do not send it again unchanged.`.replaceAll(
    '\n',
    ' ',
  );

const CLIENT_CHARS_MAX = 100; // of a name that goes into the journal

/** A session as an MCP server: its tools under its policy. It is opened for the client that requests them. */
export function governedServer(open: () => Promise<GovernedSession>, version: string): Server {
  const server = new Server(
    { name: 'countersign', title: 'Countersign', version },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  );
  let stopFollowing: (() => void) | null = null;
  server.setRequestHandler('tools/list', async () => {
    const governed = await open();
    // A client that never requested the list gets no change notification.
    stopFollowing ??= followTools(governed, server);
    return { tools: toolListing(governed) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    // It came over the wire, so that it is JSON.
    return carryOut({ name, args: args as JsonObject, ...asked(server, context) }, await open());
  });
  server.onclose = () => stopFollowing?.();
  return server;
}

const Envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }) });

function asked(server: Server, { mcpReq }: ServerContext): Omit<AgentCall, 'name' | 'args'> {
  const token = mcpReq._meta?.progressToken;
  // Since 2026-07-28 clients name themselves with each request.
  const info = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const client = inOneLine(info ? `${info.name} ${info.version}` : 'an MCP client', CLIENT_CHARS_MAX);
  const onProgress: AgentCall['onProgress'] =
    token === undefined
      ? null
      : (note) => {
          const params = { progressToken: token, ...note };
          // A disconnected client gets no more notifications.
          mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
        };
  return { client, signal: mcpReq.signal, onProgress };
}

/** Notifies the client when the tools that it may call have changed. */
function followTools(governed: GovernedSession, server: Server): () => void {
  const names = () => JSON.stringify(toolListing(governed));
  let known = names();
  const look = () => {
    const now = names();
    if (now === known) return;
    known = now;
    server.sendToolListChanged().catch(() => undefined);
  };
  const stopListening = governed.events.subscribe({
    onFact: ({ event }) => {
      if (event.type === 'mode.changed') look();
    },
  });
  const stopWatching = governed.onToolsChanged(look);
  return () => {
    stopListening();
    stopWatching();
  };
}
