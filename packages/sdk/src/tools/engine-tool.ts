import type { PlanContext, PlanDraft, RunContext, Tool } from '@countersign/engine';
import { contentHash, isJsonObject, plainData, resolvePath } from '@countersign/host';
import { type Basis, type JsonObject, ToolFailure, type ToolResult } from '@countersign/protocol';
import { type AnyTool, isEngineTool } from '../types/any-tool.js';
import type { PlainInvocation, ToolOwnConfirmation } from '../types/tool-types.js';
import { completeDetails } from './complete-details.js';
import { fileFingerprint } from './file-fingerprint.js';
import { narrowedGrant } from './narrow-grant.js';
import { type NormalizedTool, normalizeTool } from './normalized-tool.js';
import { ownDecision, roleFor } from './own-decision.js';
import { settleResult } from './settle-result.js';
import type { Surroundings } from './surroundings.js';
import { type Touched, touchedBy } from './touched.js';

/** Any tool as the engine's: the three styles describe the same thing. */
export const toEngineTool = (tool: AnyTool, surroundings: Surroundings): Tool =>
  isEngineTool(tool) ? tool : adapted(normalizeTool(tool), surroundings);

/** A call between its check, its plans and its run: all of them concern one and the same invocation. */
type Prepared = { readonly invocation: PlainInvocation; callId: string | null; draft: PlanDraft | null };

function adapted(tool: NormalizedTool, surroundings: Surroundings): Tool {
  const { name, displayName, description, kind, canUpdateOutput, modifyContext } = tool;
  // The engine keeps one object of arguments for each revision of a call, so that the object identifies the call until it ends.
  const underWay = new WeakMap<JsonObject, Prepared>();

  const prepare = (args: JsonObject, callId: string | null): Prepared => {
    const known = underWay.get(args);
    if (known !== undefined && (known.callId === null || callId === null || known.callId === callId)) {
      known.callId ??= callId;
      return known;
    }
    const prepared = { invocation: tool.build(args), callId, draft: null };
    underWay.set(args, prepared);
    return prepared;
  };

  return {
    name,
    displayName,
    description,
    kind,
    canUpdateOutput,
    get inputSchema() {
      return tool.inputSchema();
    },
    ...(modifyContext && {
      withContent: (args, newContent) => withContent(modifyContext(NEVER), args, newContent),
    }),

    check: (args) => {
      try {
        prepare(args, null);
        return { ok: true, args };
      } catch (thrown) {
        return { ok: false, problems: [wordsOf(thrown)] };
      }
    },

    plan: async (args, context) => {
      const { draft } = prepare(args, context.callId);
      if (draft !== null && (await stillHolds(draft.basis))) return draft;
      // The file has changed since the tool planned, and the tool may have kept what it read.
      if (draft !== null) underWay.delete(args);
      const prepared = prepare(args, context.callId);
      prepared.draft = await planOf(prepared.invocation, { tool, args, context, surroundings });
      return prepared.draft;
    },

    run: async (args, context) => {
      const { invocation } = preparedOr(() => prepare(args, context.callId), name);
      return runOf(invocation, { tool, context, surroundings });
    },
  };
}

type Planning = {
  readonly tool: NormalizedTool;
  readonly args: JsonObject;
  readonly context: PlanContext;
  readonly surroundings: Surroundings;
};

async function planOf(
  invocation: PlainInvocation,
  { tool, args, context, surroundings }: Planning,
): Promise<PlanDraft> {
  const { workspace, signal } = context;
  const touched = await touchedBy(invocation, tool, workspace);
  const role = await roleFor(invocation, { tool, args, touched, workspace, surroundings });
  const seen = role === 'none' ? new Map<string, null>() : await fingerprintsOf(touched);
  const own = await ownDecision(invocation, role, signal);
  const title = invocation.getDescription();
  const draft: PlanDraft = { title, ...touched, ...(own.byDefault && { byDefault: own.byDefault }) };
  if (own.details === null) return draft;

  const path = touched.locations[0]?.path ?? null;
  const confirmation = completeDetails(own.details, { ...tool, title, args, workspace, path });
  const basis = confirmation.type === 'edit' ? await basisOf(confirmation, workspace, seen) : null;
  return {
    ...draft,
    confirmation,
    ...(basis && { basis: [basis] }),
    ...afterwards(invocation, own.details, tool.name),
  };
}

/** Of the files that would change: taken before the tool looks at them, so that it cannot have seen an older one. */
async function fingerprintsOf({ resources }: Touched): Promise<ReadonlyMap<string, string | null>> {
  const files = resources.flatMap((resource) =>
    resource.kind === 'fs.write' && resource.scope === 'file' ? [resource.path] : [],
  );
  return new Map(await Promise.all(files.map(async (path) => [path, await fileFingerprint(path)] as const)));
}

/** What an answer to an edit is bound to: the file as it was, and the content as it will be. */
async function basisOf(
  edit: { readonly filePath: string; readonly newContent: string },
  workspace: string,
  seen: ReadonlyMap<string, string | null>,
): Promise<Basis | null> {
  const path = await resolvePath(workspace, edit.filePath).catch(() => null);
  if (path === null) return null;
  const before = seen.has(path) ? (seen.get(path) ?? null) : await fileFingerprint(path);
  return { path, before, after: contentHash(Buffer.from(edit.newContent)) };
}

async function stillHolds(basis: readonly Basis[] = []): Promise<boolean> {
  const now = await Promise.all(basis.map(({ path }) => fileFingerprint(path)));
  return basis.every(({ before }, index) => before === now[index]);
}

/** The tool's callbacks for the answer. */
function afterwards(
  invocation: PlainInvocation,
  details: ToolOwnConfirmation,
  tool: string,
): Pick<PlanDraft, 'onAnswer' | 'narrowGrant'> {
  return {
    ...(details.onConfirm && { onAnswer: (outcome, payload) => details.onConfirm?.(outcome, payload) }),
    ...(invocation.getPolicyUpdateOptions && {
      narrowGrant: (outcome, offered) =>
        narrowedGrant(offered, invocation.getPolicyUpdateOptions?.(outcome), tool),
    }),
  };
}

async function runOf(
  invocation: PlainInvocation,
  {
    tool,
    context,
    surroundings,
  }: { readonly tool: NormalizedTool; readonly context: RunContext; readonly surroundings: Surroundings },
): Promise<ToolResult> {
  const { callId, attempt, progress, signal, plan, updateOutput } = context;
  // Consent was for a change of the file as it was; the tool itself knows nothing of that.
  for (const basis of plan.basis) {
    if (!(await stillHolds([basis]))) throw new ToolFailure({ code: 'stale_file', path: basis.path });
  }
  const wantsOutput = tool.canUpdateOutput && surroundings.wantsOutput();
  return settleResult(
    await invocation.execute(signal, wantsOutput ? updateOutput : undefined, { callId, attempt, progress }),
  );
}

/** After a restart a call may be run that was checked and planned by a process before. */
function preparedOr(prepare: () => Prepared, name: string): Prepared {
  try {
    return prepare();
  } catch (thrown) {
    throw new ToolFailure({ code: 'invalid_tool_params', name, problems: [wordsOf(thrown)] });
  }
}

async function withContent(
  context: ReturnType<NonNullable<NormalizedTool['modifyContext']>>,
  args: JsonObject,
  newContent: string,
): Promise<JsonObject> {
  const updated = plainData(
    context.createUpdatedParams(await context.getCurrentContent(args), newContent, args),
  );
  if (!updated.ok || !isJsonObject(updated.value))
    throw new Error('the tool did not return usable arguments');
  return updated.value;
}

/** A change that a person typed in is not worth stopping half-way. */
const NEVER = new AbortController().signal;

/** Without the full stop that a tool's own words may end with: they become part of a sentence. */
const wordsOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
