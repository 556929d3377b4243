import { visibleLine } from '@countersign/display';
import { type Journal, openSession, type Watcher } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import type { GovernedSession } from '@countersign/mcp';
import { sessionParts } from '../compose/compose.js';
import { optionsFor } from '../compose/setup.js';
import { chooseSession } from '../headless/choose-session.js';
import { CommandFailure, sayings } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import type { McpServeOptions } from './serve-options.js';

/** A session for calls of another agent: composed as behind every other door. */
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
    ...sayings(io),
    servers: options.otherServers === 'offered' ? { besides: {} } : 'none',
  });
  const { parts, servers } = composed;
  const watchers = new Set<Watcher>();
  const watcher: Watcher = {
    onFacts: (facts) => {
      for (const each of watchers) each.onFacts?.(facts);
    },
    onLive: (live) => {
      for (const each of watchers) each.onLive?.(live);
    },
  };
  const { sessionId } = chosen;
  await servers?.beforeTakingUp(journal, sessionId);
  const opened = await openSession({ ...parts, journal, sessionId, watcher });
  if (!opened.ok) {
    await servers?.close();
    throw new CommandFailure(opened.failure);
  }
  const { session } = opened;
  say(io, `countersign: session ${sessionId}`);
  watchers.add(announcer(sessionId, options, io));
  // Many clients ask for tools once, and never again.
  await servers?.readyForModel();
  return {
    session,
    tools: parts.tools,
    policy: parts.policy,
    attended: options.approvals === 'deny' ? 'nobody' : 'somebody',
    listen: (each) => {
      watchers.add(each);
      return () => watchers.delete(each);
    },
    onToolsChanged: (changed) => servers?.onToolsChanged(changed) ?? (() => {}),
    leave: async () => {
      await session.dispose();
      await servers?.close();
    },
  };
}

/** Prints pending questions for the operator, and how to answer them. */
function announcer(sessionId: string, options: McpServeOptions, io: Io): Watcher {
  const { store, approvals } = options;
  if (approvals === 'deny') return {};
  const ofStore = `${store === undefined ? '' : ` --store ${shellWord(store)}`}${optionsFor(options)}`;
  return {
    onFacts: (facts) => {
      for (const { event, call } of facts) {
        if (call?.status !== 'awaiting_approval' || !ASKING.includes(event.type)) continue;
        const id = shellWord(`${sessionId}/${call.request.callId}`);
        say(
          io,
          `Waiting for approval: ${visibleLine(call.plan.title)}\n  countersign approvals answer ${id} proceed_once${ofStore}`,
        );
      }
    },
  };
}

const ASKING: readonly string[] = ['call.asked', 'call.blocked'];
