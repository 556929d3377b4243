import { realpathSync } from 'node:fs';
import type { Subject } from '@countersign/kernel';
import { explain, type Resource } from '@countersign/protocol';
import { analyzeLine, lineOf } from '../planning/known-commands.js';
import { type Classify, placed } from '../planning/plan-call.js';
import type { Resolved, Toolbox } from '../tool/toolbox.js';
import { failureThrown } from '../values/plain.js';

/** A call that is judged and not run, in assumed circumstances. */
export type UnrunCall = Omit<Subject, 'plan' | 'commands'>;

/** Where the call would be planned: only by looking, as for a call that does run. */
export type Lookout = {
  readonly tools: Toolbox;
  readonly workspace: string;
  readonly classify: Classify;
};

export type Supposed = {
  readonly subject: Subject;
  /** Why the call would fail before it is judged; null if it would not. The verdict of the rules is still useful. */
  readonly problem: string | null;
};

/** What policy looks at. A tool of an MCP server is never one of ours, whatever its name. */
export async function supposeCall(call: UnrunCall, lookout: Lookout): Promise<Supposed> {
  const resolved = call.mcpServer === null ? lookout.tools.resolve(call.tool, call.args) : undefined;
  const { tool, args } = resolved ? { tool: resolved.tool.name, args: resolved.args } : call;
  const line = call.mcpServer === null ? lineOf(tool, args) : null;
  const { plan, problem } = resolved ? await planFor(resolved, lookout) : UNKNOWN_TOOL;
  const commands = line === null ? null : await analyzeLine(line);
  const workspace = realPathOf(lookout.workspace);
  return { subject: { ...call, tool, args, plan, workspace, commands }, problem };
}

type Planned = { readonly plan: Subject['plan']; readonly problem: string | null };

/** Of a tool that is not here nothing is known, so it might touch anything. */
const UNKNOWN_TOOL: Planned = {
  plan: {
    kind: 'other',
    resources: [{ kind: 'opaque', why: 'the resources it touches are not known' }],
    byDefault: null,
  },
  problem: null,
};

/** As the paths of resources are given; of a folder that is not there, as it is written. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function planFor({ tool, args }: Resolved, lookout: Lookout): Promise<Planned> {
  const unplanned = (problem: string): Planned => ({
    plan: { kind: tool.kind, resources: [], byDefault: null },
    problem,
  });
  try {
    const checked = tool.check(args);
    if (!checked.ok) return unplanned(checked.problems.join('; '));
    const workspace = realPathOf(lookout.workspace);
    const draft = await tool.plan(args, {
      sessionId: '',
      callId: '',
      workspace,
      signal: new AbortController().signal,
      wasRead: () => false,
      earlier: () => Promise.resolve(null),
      needs: [],
    });
    const { classify } = lookout;
    const resources = draft.resources.map(
      (resource): Resource => ('path' in resource ? placed(resource, { classify, workspace }) : resource),
    );
    return { plan: { kind: tool.kind, resources, byDefault: draft.byDefault ?? null }, problem: null };
  } catch (thrown) {
    return unplanned(explain(failureThrown(thrown)).message);
  }
}
