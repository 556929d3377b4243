import {
  type BatchOptions,
  type Journal,
  memoryJournal,
  type OpenOptions,
  openSession,
  type PlanContext,
  type PlanDraft,
  type RunContext,
  type SessionShell,
  type Tool,
  Toolbox,
} from '@countersign/engine';
import { compilePolicy, type Policy } from '@countersign/kernel';
import {
  type ApprovalMode,
  explain,
  type Failure,
  type JsonObject,
  type SettledCall,
  type ToolResult,
  type WantedCall,
} from '@countersign/protocol';

/** A tool made of the parts a test cares about; everything else is ordinary. */
export function testTool(parts: {
  readonly name: string;
  readonly kind?: Tool['kind'];
  readonly plan?: (
    args: JsonObject,
    context: PlanContext,
  ) => Partial<PlanDraft> | Promise<Partial<PlanDraft>>;
  readonly run?: (args: JsonObject, context: RunContext) => unknown;
  readonly resume?: Tool['resume'];
  readonly leave?: Tool['leave'];
  readonly check?: Tool['check'];
  readonly timeoutMs?: number;
  readonly whenStopped?: Tool['whenStopped'];
  readonly aliases?: Tool['aliases'];
  readonly description?: string;
}): Tool {
  const draft = (planned: Partial<PlanDraft> = {}): PlanDraft => ({
    title: parts.name,
    resources: [],
    repeat: 'unsafe',
    ...planned,
  });
  return {
    name: parts.name,
    displayName: parts.name,
    description: parts.description ?? `Test tool ${parts.name}.`,
    kind: parts.kind ?? 'read',
    inputSchema: { type: 'object' },
    canUpdateOutput: true,
    ...(parts.timeoutMs !== undefined && { timeoutMs: parts.timeoutMs }),
    ...(parts.whenStopped && { whenStopped: parts.whenStopped }),
    ...(parts.aliases && { aliases: parts.aliases }),
    check: parts.check ?? ((args) => ({ ok: true, args })),
    ...(parts.resume && { resume: parts.resume }),
    ...(parts.leave && { leave: parts.leave }),
    plan: (args, context) => {
      const planned = parts.plan?.(args, context);
      return planned instanceof Promise ? planned.then(draft) : draft(planned);
    },
    // Tests hand in what a careless tool would: the engine must cope with any of it.
    run: (args, context) =>
      (parts.run?.(args, context) ?? { llmContent: 'done', returnDisplay: 'done' }) as ToolResult,
  };
}

/** No rules: what has an effect asks, the rest is allowed. */
export const plainPolicy = (): Policy => compilePolicy([], 'no rules');

export type TestSession = {
  readonly session: SessionShell;
  readonly journal: Journal;
  readonly tools: Toolbox;
  readonly troubles: readonly Failure[];
};

export async function openTestSession(
  tools: readonly Tool[],
  options: Partial<OpenOptions> & { readonly mode?: ApprovalMode } = {},
): Promise<TestSession> {
  const journal = options.journal ?? memoryJournal({ keep: 'all' });
  const toolbox = options.tools ?? new Toolbox(tools);
  const troubles: Failure[] = [];
  const opened = await openSession({
    sessionId: 'test',
    workspace: '/w',
    policy: plainPolicy(),
    classify: (workspace, path) => ({
      place: path.startsWith(`${workspace}/`) ? 'workspace' : 'outside',
      guarded: null,
    }),
    onTrouble: (failure) => troubles.push(failure),
    ...options,
    journal,
    tools: toolbox,
  });
  if (!opened.ok) throw new Error(`could not open: ${explain(opened.failure).message}`);
  return { session: opened.session, journal, tools: toolbox, troubles };
}

/** Run a batch that is expected to be accepted. */
export async function run(
  session: SessionShell,
  calls: readonly WantedCall[],
  options?: BatchOptions,
): Promise<readonly SettledCall[]> {
  const outcome = await session.schedule(calls, options);
  if (!outcome.ok) throw new Error(`refused: ${explain(outcome.failure).message}`);
  return outcome.calls;
}

/** A promise and its resolver: the test decides when something ends. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((ok, no) => {
    resolve = ok;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Wait for a condition that work under way will bring about; fails loudly after a while instead of hanging. */
export async function until(condition: () => boolean, what: string, timeoutMs = 20_000): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** The question that a call waits with. */
export function questionOf(session: SessionShell, callId: string) {
  const call = session.snapshot().find(({ request }) => request.callId === callId);
  if (call?.status !== 'awaiting_approval')
    throw new Error(`${callId} is ${call?.status ?? 'gone'}, not waiting`);
  return call.question;
}
