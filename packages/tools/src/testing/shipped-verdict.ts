import type * as Engine from '@countersign/engine';
import { classify } from '@countersign/host';
import type { ApprovalMode, JsonObject, Verdict } from '@countersign/protocol';
import type { SandboxMode } from '@countersign/sandbox';
import { builtInTools } from '../built-in-tools.js';

export type Judged = { readonly tool: string; readonly args: JsonObject; readonly mode?: ApprovalMode };

export type ShippedJudge = {
  readonly onCall: (workspace: string, call: Judged) => Promise<Verdict>;
  readonly onCommand: (workspace: string, command: string, sandbox?: SandboxMode) => Promise<Verdict>;
};

/**
 * What the rules that ship make of a call of the real tools, planned on real files. Commands are not confined if
 * nothing is said. The engine is given by the test: no other part of this package may use what judges.
 */
export function shippedJudge({
  DEFAULT_POLICY_SOURCE,
  loadPolicy,
  supposeCall,
  Toolbox,
}: typeof Engine): ShippedJudge {
  const judge = async (workspace: string, call: Judged, sandbox: SandboxMode): Promise<Verdict> => {
    const tools = new Toolbox(builtInTools({ sandbox }));
    const knownTools = tools.all().map(({ name }) => name);
    const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], { knownTools });
    if (!loaded.ok) throw new Error(loaded.failure.problem);
    const { subject } = await supposeCall(
      { mode: 'manual', ...call, ...CIRCUMSTANCES },
      { tools, workspace, classify },
    );
    return loaded.policy.judge(subject);
  };
  return {
    onCall: (workspace, call) => judge(workspace, call, 'off'),
    onCommand: (workspace, command, sandbox = 'off') =>
      judge(workspace, { tool: 'run_shell_command', args: { command } }, sandbox),
  };
}

const CIRCUMSTANCES = {
  mcpServer: null,
  annotations: null,
  origin: 'model',
  attended: true,
  subagent: null,
} as const;
