import { DEFAULT_POLICY_SOURCE, loadPolicy, supposeCall, Toolbox } from '@countersign/engine';
import type { ApprovalMode, JsonObject, Verdict } from '@countersign/protocol';
import type { SandboxMode } from '@countersign/sandbox';
import { builtInTools } from '../built-in-tools.js';
import { classify } from '../paths/classify.js';

export type Judged = { readonly tool: string; readonly args: JsonObject; readonly mode?: ApprovalMode };

/** What the rules that ship make of a call of the real tools, planned on real files. Not confined if nothing is said. */
export async function shippedVerdict(
  workspace: string,
  { tool, args, mode = 'manual' }: Judged,
  sandbox: SandboxMode = 'off',
): Promise<Verdict> {
  const tools = new Toolbox(builtInTools({ sandbox }));
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], {
    knownTools: tools.all().map(({ name }) => name),
  });
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  const call = { tool, args, mode, mcpServer: null, annotations: null, attended: true, subagent: null };
  const { subject } = await supposeCall({ ...call, origin: 'model' }, { tools, workspace, classify });
  return loaded.policy.judge(subject);
}

export const shippedVerdictOn = (
  workspace: string,
  command: string,
  sandbox: SandboxMode = 'off',
): Promise<Verdict> => shippedVerdict(workspace, { tool: 'run_shell_command', args: { command } }, sandbox);
