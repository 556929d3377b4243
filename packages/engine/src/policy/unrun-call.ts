import { realpathSync } from 'node:fs';
import type { Subject } from '@countersign/kernel';
import { explain, type JsonObject, type Plan, type Resource } from '@countersign/protocol';
import { analyzeLine, lineOf } from '../planning/known-commands.js';
import { type Classify, classified, placed } from '../planning/plan-call.js';
import type { SessionDirectory } from '../planning/session-directory.js';
import type { Resolved, Toolbox } from '../tool/toolbox.js';
import { failureThrown } from '../values/plain.js';

/** A call that is judged and not run, in assumed circumstances. */
export type UnrunCall = Omit<Subject, 'plan' | 'commands'>;

/** Where the call would be planned: only by looking, as for a call that does run. */
export type Lookout = {
  readonly tools: Toolbox;
  readonly workspace: string;
  readonly classify: Classify;
  /** The files that calls of the session have left; omitted where the session does not exist yet. */
  readonly kept?: Pick<SessionDirectory, 'holds'>;
};

export type Supposed = {
  readonly subject: Subject;
  readonly plan: Pick<Plan, 'locations'>;
  /** Whether there is such a tool here. */
  readonly isKnown: boolean;
  /** Why the call would fail before it is judged; null if it would not. The verdict of the rules is still useful. */
  readonly problem: string | null;
};

/** What policy looks at. A tool of an MCP server is never one of ours, whatever its name. */
export async function supposeCall(call: UnrunCall, lookout: Lookout): Promise<Supposed> {
  const resolved = toolOf(call, lookout.tools);
  const { tool, args } = resolved ? { tool: resolved.tool.name, args: resolved.args } : call;
  const line = call.mcpServer === null ? lineOf(tool, args) : null;
  const { plan, problem, locations, annotations } = resolved
    ? await planFor(resolved, lookout)
    : UNKNOWN_TOOL;
  const commands = line === null ? null : await analyzeLine(line);
  const workspace = realPathOf(lookout.workspace);
  const subject: Subject = {
    ...call,
    ...{ tool, args, plan, workspace, commands },
    mcpServer: serverIn(plan) ?? call.mcpServer,
    annotations: annotations ?? call.annotations,
  };
  return { subject, plan: { locations }, isKnown: resolved !== undefined, problem };
}

function toolOf({ tool, args, mcpServer }: UnrunCall, tools: Toolbox): Resolved | undefined {
  const resolved = tools.resolve(tool, args);
  return mcpServer === null || resolved?.tool.mcpServer === mcpServer ? resolved : undefined;
}

/** The server that the plan itself names, as the kernel finds it for a call that runs. */
const serverIn = ({ resources }: Subject['plan']): string | null =>
  resources.find((resource) => resource.kind === 'mcp')?.server ?? null;

type Planned = {
  readonly plan: Subject['plan'];
  readonly locations: Plan['locations'];
  readonly annotations: JsonObject | null;
  readonly problem: string | null;
};

/** Of a tool that is not here nothing is known, so it might touch anything. */
const UNKNOWN_TOOL: Planned = {
  plan: {
    kind: 'other',
    resources: [{ kind: 'opaque', why: 'the resources it touches are not known' }],
    byDefault: null,
  },
  locations: [],
  annotations: null,
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
    locations: [],
    annotations: null,
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
    const { classify, kept = NOTHING_KEPT } = lookout;
    const resources = draft.resources.map(
      (resource): Resource => classified(resource, { classify, workspace, kept }),
    );
    return {
      plan: {
        kind: tool.kind,
        resources,
        ...(draft.named && { named: draft.named.map((file) => placed(file, { classify, workspace })) }),
        byDefault: draft.byDefault ?? null,
        ...(draft.annotations && { annotations: draft.annotations }),
      },
      locations: draft.locations ?? [],
      annotations: draft.annotations ?? null,
      problem: null,
    };
  } catch (thrown) {
    return unplanned(explain(failureThrown(thrown)).message);
  }
}

const NOTHING_KEPT = { holds: () => false };
