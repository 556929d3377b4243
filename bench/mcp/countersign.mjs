// A whole session: the call is checked, planned, judged, journaled, scheduled and run, and a front end sees every fact.
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DEFAULT_POLICY_SOURCE, loadPolicy, memoryJournal, openSession, Toolbox } from '@countersign/engine';
import { classify } from '@countersign/host';
import { McpClientManager } from '@countersign/mcp';
import { builtInTools } from '@countersign/tools';
import { countersignVersion } from '../subjects/countersign.mjs';
import { ARGS, assertEchoed, ECHO } from './workload.mjs';

/** @import { McpCalls } from './workload.mjs' */

export const name = 'countersign';
export const version = countersignVersion;

/** @returns {Promise<Required<McpCalls>>} */
export async function make() {
  const workspace = realpathSync(tmpdir());
  const tools = new Toolbox(builtInTools());
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE]);
  if (!loaded.ok) throw new Error(loaded.failure.code);
  const opened = await openSession({
    journal: memoryJournal(),
    sessionId: 'bench',
    workspace,
    tools,
    policy: loaded.policy,
    classify,
  });
  if (!opened.ok) throw new Error(`The session did not open: ${opened.failure.code}`);
  const { session } = opened;
  const watching = new AbortController();
  void (async () => {
    for await (const deliveries of session.events(session.seq, watching.signal)) void deliveries.length;
  })();
  const env = process.env;
  const manager = new McpClientManager({
    toolbox: tools,
    workspace,
    env,
    storeDirectory: null,
    version: '1',
  });
  await manager.connectToServers({ echo: { ...ECHO, trust: true } });
  let serial = 0;
  return {
    async callTool() {
      const outcome = await session.schedule([{ callId: `c${serial++}`, name: 'mcp_echo_echo', args: ARGS }]);
      const [call] = outcome.ok ? outcome.calls : [];
      if (call?.status !== 'success') throw new Error(`the call came to ${call?.status}`);
      assertEchoed(call.result.llmContent);
    },
    async close() {
      watching.abort();
      await manager.close();
      await session.dispose();
    },
  };
}
