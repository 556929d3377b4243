import type { PlanDraft, Tool } from '@countersign/engine';
import type { JsonObject, Plan, Resource, ToolResult } from '@countersign/protocol';
import { classify } from '../paths/classify.js';

export type CarryOutOptions = {
  readonly workspace: string;
  /** What happens in the world after the plan was made and before it is run. */
  readonly meanwhile?: (plan: Plan) => void | Promise<void>;
  readonly signal?: AbortSignal;
};

export type CarriedOut = { readonly draft: PlanDraft; readonly plan: Plan; readonly result: ToolResult };

/** Takes a call the way the engine does when policy allows it: names, check, plan, run. */
export async function carryOut(tool: Tool, given: JsonObject, options: CarryOutOptions): Promise<CarriedOut> {
  const { workspace, meanwhile, signal = new AbortController().signal } = options;
  const args = tool.renameArgs?.(given) ?? given;
  const checked = tool.check(args);
  if (!checked.ok) throw new Error(checked.problems.join('; '));
  const draft = await tool.plan(checked.args, { callId: 'call', workspace, signal });
  const plan = planOf(tool, draft, workspace);
  await meanwhile?.(plan);
  const result = await tool.run(checked.args, {
    callId: 'call',
    workspace,
    signal,
    attempt: 1,
    plan,
    updateOutput: () => {},
    progress: () => {},
  });
  return { draft, plan, result };
}

export function planOf(tool: Tool, draft: PlanDraft, workspace: string): Plan {
  return {
    title: draft.title,
    kind: tool.kind,
    resources: draft.resources.map(
      (resource): Resource =>
        'path' in resource ? { ...resource, ...classify(workspace, resource.path) } : resource,
    ),
    locations: draft.locations ?? [],
    basis: draft.basis ?? [],
    repeat: draft.repeat,
    after: 'conflicts',
    byDefault: draft.byDefault ?? null,
    digest: '',
  };
}
