import { CHANNELS } from '@countersign/channels';
import { SessionEvents } from '@countersign/client';
import { type Journal, openSession } from '@countersign/engine';
import type { GovernedSession } from '@countersign/mcp';
import { sessionParts } from '../compose/compose.js';
import { beginForHooks } from '../exec/session-hooks.js';
import { chooseSession } from '../headless/choose-session.js';
import { CommandFailure, messageHandlers } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { openChannel } from '../terminal/approval-channel.js';
import type { McpServeOptions } from './serve-options.js';

/** A session for the calls of another agent, composed like those of every other front end. */
export async function openGoverned(
  options: McpServeOptions,
  journal: Journal,
  io: Io,
): Promise<GovernedSession> {
  const chosen = await chooseSession(options, journal);
  const composed = await sessionParts({
    ...options,
    ...chosen,
    frontEnd: 'mcp',
    env: io.env,
    ...messageHandlers(io),
    servers: options.otherServers === 'offered' ? { besides: {} } : 'none',
  });
  const { parts, servers } = composed;
  const events = new SessionEvents();
  const { sessionId } = chosen;
  await servers?.readyForOpenCalls(journal, sessionId);
  const opened = await openSession({ ...parts, journal, sessionId, watcher: events });
  if (!opened.ok) {
    await servers?.close();
    throw new CommandFailure(opened.failure);
  }
  const { session } = opened;
  say(io, `countersign: session ${sessionId}`);
  events.adopt(session.snapshot());
  const channel = openChannel(options.approvals, session, { tools: parts.tools }, options, io);
  events.connect(channel);
  const hooks = await beginForHooks(
    composed,
    { env: io.env, workspace: chosen.workspace, sessionId },
    chosen.session === 'known' ? 'resume' : 'startup',
    (text) => say(io, `countersign: ${text}`),
  );
  events.subscribe({
    onQuestion: (change) => {
      if (change.type !== 'gone') hooks?.asked(change.call);
    },
  });
  for (const call of events.waiting) hooks?.asked(call);
  // Many clients list tools only once.
  await servers?.readyForModel();
  return {
    session,
    tools: parts.tools,
    policy: parts.policy,
    attended: CHANNELS[options.approvals].attended,
    events,
    onToolsChanged: (changed) => servers?.onToolsChanged(changed) ?? (() => {}),
    leave: async () => {
      await session.dispose();
      await servers?.close();
      await hooks?.end();
    },
  };
}
