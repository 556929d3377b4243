import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, memoryJournal, openSession, type SessionShell } from '@countersign/engine';
import { classify } from '@countersign/host';
import {
  type AwaitingCall,
  explain,
  type JsonObject,
  type Outcome,
  type SettledCall,
} from '@countersign/protocol';
import { Config, type ConfigParameters } from '../../config/config.js';
import type { AnyTool } from '../../types/any-tool.js';
import { ToolRegistry } from '../tool-registry.js';

/** A real workspace for one test. */
export function temporaryWorkspace(): { readonly workspace: string; readonly remove: () => void } {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-sdk-')));
  return { workspace, remove: () => rmSync(workspace, { recursive: true, force: true }) };
}

export type TestSession = {
  readonly session: SessionShell;
  readonly config: Config;
  /** Runs one call; questions get these answers, one after another, and are declined when none remain. */
  readonly call: (args: JsonObject, answers?: readonly Outcome[], name?: string) => Promise<SettledCall>;
  /** Schedules a call and waits until it is asked about. */
  readonly ask: (args: JsonObject, name?: string) => Promise<AwaitingCall>;
  readonly waiting: () => AwaitingCall | undefined;
};

export type SessionOptions = ConfigParameters & {
  readonly journal?: Journal;
  readonly wantsOutput?: boolean;
  readonly attended?: 'somebody' | 'nobody';
};

/** The engine's own session with these tools in it: what a scheduler of the library drives. */
export async function sessionWith(
  tools: readonly AnyTool[],
  options: SessionOptions = {},
): Promise<TestSession> {
  const { journal = memoryJournal(), wantsOutput = true, attended = 'somebody', ...parameters } = options;
  const config = new Config(parameters);
  const registry = new ToolRegistry(config);
  for (const tool of tools) registry.registerTool(tool);
  await config.getPolicyEngine().ready();
  const opened = await openSession({
    journal,
    sessionId: config.getSessionId(),
    workspace: config.getTargetDir(),
    mode: config.getApprovalMode(),
    tools: registry.toolbox({ config, wantsOutput: () => wantsOutput }),
    policy: config.getPolicyEngine().asPolicy(),
    classify,
  });
  if (!opened.ok) throw new Error(explain(opened.failure).message);
  const { session } = opened;
  const first = tools[0]?.name ?? '';
  const waiting = () => session.snapshot().find((call) => call.status === 'awaiting_approval');

  return {
    session,
    config,
    waiting,
    call: async (args, answers = [], name = first) => {
      const batch = session.schedule([{ name, args, origin: 'model' }], { attended });
      for (const outcome of [...answers, 'cancel'] as const) {
        await session.idle();
        const call = waiting();
        if (!call) break;
        const { callId } = call.request;
        await session.send({ type: 'answer', callId, digest: call.question.digest, outcome, by: 'test' });
      }
      const ended = await batch;
      const [settled] = ended.ok ? ended.calls : [];
      if (!settled) throw new Error('the call has not ended');
      return settled;
    },
    ask: async (args, name = first) => {
      void session.schedule([{ name, args, origin: 'model' }], { attended });
      await session.idle();
      const call = waiting();
      if (!call) throw new Error(`no question was asked: ${JSON.stringify(session.snapshot())}`);
      return call;
    },
  };
}
