import { join } from 'node:path';
import type { PlanContext, PlanDraft, RunContext, Tool } from '@countersign/engine';
import { classify } from '@countersign/host';
import type { DeclaredResource, JsonObject, Plan, Resource, ToolResult } from '@countersign/protocol';

export type CarryOutOptions = {
  readonly workspace: string;
  /** What happens in the world after the plan was made and before it is run. */
  readonly meanwhile?: (plan: Plan) => void | Promise<void>;
  readonly signal?: AbortSignal;
  readonly wasRead?: PlanContext['wasRead'];
  readonly earlier?: PlanContext['earlier'];
  readonly updateOutput?: RunContext['updateOutput'];
};

export type CarriedOut = { readonly draft: PlanDraft; readonly plan: Plan; readonly result: ToolResult };

/** Takes a call the way the engine does when policy allows it: names, check, plan, run. */
export async function carryOut(tool: Tool, given: JsonObject, options: CarryOutOptions): Promise<CarriedOut> {
  const { workspace, meanwhile } = options;
  const args = tool.renameArgs?.(given) ?? given;
  const checked = tool.check(args);
  if (!checked.ok) throw new Error(checked.problems.join('; '));
  const draft = await tool.plan(checked.args, planContext(options));
  const plan = planOf(tool, draft, workspace);
  await meanwhile?.(plan);
  const result = await tool.run(checked.args, runContext(plan, options));
  return { draft, plan, result };
}

export const planContext = ({
  workspace,
  signal = new AbortController().signal,
  wasRead = () => true,
  earlier = () => Promise.resolve(null),
}: CarryOutOptions): PlanContext => ({
  sessionId: 'session',
  callId: 'call',
  workspace,
  signal,
  wasRead,
  earlier,
  needs: [],
});

/** What calls leave lies beside the workspace, as it does for the engine. */
export function runContext(plan: Plan, options: CarryOutOptions): RunContext {
  const { workspace, signal = new AbortController().signal, updateOutput = () => {} } = options;
  const sessionDirectory = join(workspace, '..', 'session');
  return {
    sessionId: 'session',
    callId: 'call',
    workspace,
    signal,
    sessionDirectory,
    directory: join(sessionDirectory, '1-0'),
    attempt: 1,
    plan,
    permit: { type: 'policy', rule: null },
    answers: null,
    setMode: () => {},
    ask: () => Promise.resolve(null),
    updateOutput,
    progress: () => {},
    process: () => {},
  };
}

export function planOf(tool: Tool, draft: PlanDraft, workspace: string): Plan {
  return {
    title: draft.title,
    kind: tool.kind,
    resources: draft.resources.map(
      (resource): Resource => ('path' in resource ? placed(resource, workspace) : resource),
    ),
    locations: draft.locations ?? [],
    basis: draft.basis ?? [],
    repeat: draft.repeat,
    after: 'conflicts',
    byDefault: draft.byDefault ?? null,
    digest: '',
  };
}

/** As the engine does it: what may be read freely is protected from writes alone. */
function placed(resource: Extract<DeclaredResource, { path: string }>, workspace: string): Resource {
  const { place, guarded, guardsReading } = classify(workspace, resource.path);
  const byPath = resource.kind === 'fs.write' || guardsReading ? guarded : null;
  return { ...resource, place, guarded: byPath ?? resource.guarded ?? null };
}
