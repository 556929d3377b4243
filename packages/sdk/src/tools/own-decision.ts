import { analyzeLine, lineOf, placed } from '@countersign/engine';
import { classify } from '@countersign/host';
import type { Subject } from '@countersign/kernel';
import { type JsonObject, type Resource, ToolFailure, type Verdict } from '@countersign/protocol';
import type { ForcedDecision, PlainInvocation, ToolOwnConfirmation } from '../types/tool-types.js';
import { bindInvocation } from './invocation-context.js';
import type { NormalizedTool } from './normalized-tool.js';
import type { Surroundings } from './surroundings.js';
import type { Touched } from './touched.js';

/** What a tool decides about its own confirmation. `byDefault` counts where no rule of policy names the tool. */
export type OwnDecision = {
  readonly byDefault: 'allow' | 'ask_user' | null;
  readonly details: ToolOwnConfirmation | null;
};

export type Asking = {
  readonly tool: NormalizedTool;
  readonly args: JsonObject;
  readonly touched: Touched;
  readonly workspace: string;
  readonly surroundings: Surroundings;
};

/** What is left to the tool: nothing, the details of a question that policy asks, or the verdict. */
export type Role = 'none' | 'supplies details' | 'decides';

/**
 * Who decides: a rule of policy. Where it denies or allows, and in `yolo`, the
 * tool is not asked. Where it asks, the tool supplies the details. Where no rule
 * names the tool, its own answer is the verdict.
 */
export async function roleFor(invocation: PlainInvocation, asking: Asking): Promise<Role> {
  const { config } = asking.surroundings;
  await config.getPolicyEngine().ready();
  const line = lineOf(asking.tool.name, asking.args);
  const commands = line === null ? null : await analyzeLine(line);
  const judge = (byDefault: Subject['plan']['byDefault']) =>
    config
      .getPolicyEngine()
      .asPolicy()
      .judge({ ...subjectOf(asking, byDefault), commands });
  bindInvocation(invocation, {
    approvalMode: () => config.getApprovalMode(),
    decide: async () => withoutAbsence(judge(null)),
  });
  const role = roleOf(judge('allow'), config.getApprovalMode() === 'yolo');
  return invocation.shouldConfirmExecute ? role : 'none';
}

/** Asks the tool, in the role it has. */
export async function ownDecision(
  invocation: PlainInvocation,
  role: Role,
  signal: AbortSignal,
): Promise<OwnDecision> {
  switch (role) {
    case 'none':
      return { byDefault: null, details: null };
    case 'supplies details':
      return { byDefault: null, details: (await askTool(invocation, signal, 'ask_user')) || null };
    case 'decides': {
      const details = await askTool(invocation, signal);
      return details ? { byDefault: 'ask_user', details } : { byDefault: 'allow', details: null };
    }
  }
}

/** Judged as if the tool itself allowed it, so that any other verdict comes from policy. */
function roleOf({ decision, because }: Verdict, isYolo: boolean): Role {
  if (decision === 'deny') return 'none';
  if (decision === 'ask_user') return 'supplies details';
  return because === 'default' && !isYolo ? 'decides' : 'none';
}

async function askTool(
  invocation: PlainInvocation,
  signal: AbortSignal,
  forced?: ForcedDecision,
): Promise<ToolOwnConfirmation | false> {
  try {
    return (await invocation.shouldConfirmExecute?.(signal, forced)) ?? false;
  } catch (thrown) {
    if (thrown instanceof ToolFailure) throw thrown;
    // The tool itself objects, in words meant for the model: nothing is added to them.
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ToolFailure({ code: 'execution_failed', message });
  }
}

/** Whether a user is attached is the engine's decision; the tool learns only what would be asked. */
const withoutAbsence = ({ decision, because }: Verdict): ForcedDecision =>
  because === 'unattended' ? 'ask_user' : decision;

function subjectOf(
  { tool, args, touched, workspace, surroundings: { config } }: Asking,
  byDefault: Subject['plan']['byDefault'],
): Omit<Subject, 'commands'> {
  const resources = touched.resources.map(
    (resource): Resource => ('path' in resource ? placed(resource, { classify, workspace }) : resource),
  );
  const server = resources.find((resource) => resource.kind === 'mcp');
  return {
    tool: tool.name,
    args,
    plan: { kind: tool.kind, resources, byDefault },
    workspace,
    mcpServer: server?.server ?? null,
    annotations: null,
    origin: 'model',
    mode: config.getApprovalMode(),
    attended: config.isInteractive(),
    subagent: null,
  };
}
