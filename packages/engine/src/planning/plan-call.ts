import type { PlanOutcome } from '@countersign/kernel';
import {
  type CallRequest,
  type Confirmation,
  canonicalJson,
  type Failure,
  type FileResource,
  type Need,
  type Plan,
  type Preview,
  type Resource,
  ToolFailure,
} from '@countersign/protocol';
import type { PlanContext, PlanDraft, Tool } from '../tool/tool.js';
import type { Toolbox } from '../tool/toolbox.js';
import { sha256 } from '../values/hash.js';
import { isThenable, plainObject, wordsOf } from '../values/plain.js';
import type { EarlierEdits } from './earlier-edits.js';
import type { FilesSeen } from './files-seen.js';
import type { KnownCommands } from './known-commands.js';
import type { SessionDirectory } from './session-directory.js';

/** Classifies a path: where it lies, and whether it is protected; given by the program that composes the engine. */
export type Classify = (
  workspace: string,
  path: string,
) => Pick<Extract<Resource, { path: string }>, 'place' | 'guarded'> & {
  /** false: what is protected there is protected from writes alone. Omitted: from reads, too. */
  readonly guardsReading?: boolean;
  /** Whether it is one of this program's own files. */
  readonly ours?: boolean;
};

export type PlanningOptions = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly tools: Toolbox;
  readonly classify: Classify;
  readonly kept: SessionDirectory;
  readonly seen: FilesSeen;
  readonly edits: EarlierEdits;
  readonly commands: KnownCommands;
};

/** How a plan is made. */
export type Look = {
  readonly signal: () => AbortSignal;
  /** What the sandbox kept earlier runs of the call from, and a person is to be asked about. */
  readonly needs: readonly Need[];
  /** Plan another call, without waiting for its outcome. */
  readonly plan: (request: CallRequest) => void;
};
export const NO_NEEDS: readonly Need[] = [];

/**
 * Find out, only by looking, what a call would do. Gives its outcome at once if
 * the tool needs no waiting, which saves a trivial call a turn of the loop.
 */
export function planCall(
  request: CallRequest,
  options: PlanningOptions,
  look: Look,
): PlanOutcome | Promise<PlanOutcome> {
  const tool = options.tools.get(request.name);
  if (!tool) return failed(options.tools.missing(request.name));
  const checked = check(tool, request);
  if (!checked.ok) return checked;
  const learning = options.commands.learn(request);
  if (learning) return learning.then(() => draftPlan(request, tool, options, look));
  return draftPlan(request, tool, options, look);
}

function draftPlan(
  request: CallRequest,
  tool: Tool,
  options: PlanningOptions,
  look: Look,
): PlanOutcome | Promise<PlanOutcome> {
  try {
    const draft = tool.plan(request.args, new Looking(request, options, look));
    if (tool.kind === 'edit') options.edits.planning(request, draft);
    if (!isThenable(draft)) return complete(draft, request, tool, options, look);
    return Promise.resolve(draft).then(
      (settled) => complete(settled, request, tool, options, look),
      (thrown: unknown) => failed(failureOf(thrown, request)),
    );
  } catch (thrown) {
    return failed(failureOf(thrown, request));
  }
}

/** A class, since an object literal with a getter costs more than the rest of a trivial plan. */
class Looking implements PlanContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly workspace: string;
  readonly #request: CallRequest;
  readonly #options: PlanningOptions;
  readonly #look: Look;

  constructor(request: CallRequest, options: PlanningOptions, look: Look) {
    this.callId = request.callId;
    this.sessionId = options.sessionId;
    this.workspace = options.workspace;
    this.#request = request;
    this.#options = options;
    this.#look = look;
  }

  get signal(): AbortSignal {
    return this.#look.signal();
  }

  get needs(): PlanContext['needs'] {
    return this.#look.needs;
  }

  get asker(): PlanContext['asker'] {
    return this.#request.asker;
  }

  // Made when they are asked for: most plans never do, and tools may take them out of here.
  get wasRead(): PlanContext['wasRead'] {
    return (path) => this.#options.seen.has(path);
  }

  get earlier(): PlanContext['earlier'] {
    return (path) => this.#options.edits.before(this.#request, path, this.#look.plan);
  }
}

function check(
  tool: Tool,
  request: CallRequest,
): { readonly ok: true } | Extract<PlanOutcome, { ok: false }> {
  try {
    const checked = tool.check(request.args);
    if (checked.ok) return { ok: true };
    return failed({ code: 'invalid_tool_params', name: tool.name, problems: checked.problems });
  } catch (thrown) {
    return failed({ code: 'invalid_tool_params', name: tool.name, problems: [wordsOf(thrown)] });
  }
}

function complete(
  draft: PlanDraft,
  request: CallRequest,
  tool: Tool,
  options: PlanningOptions,
  { needs }: Look,
): PlanOutcome {
  const basis = draft.basis ?? [];
  const plan: Plan = {
    title: draft.title,
    kind: tool.kind,
    resources:
      draft.resources.length === 0
        ? NO_RESOURCES
        : draft.resources.map((resource) => classified(resource, options)),
    ...(draft.named && draft.named.length > 0 && { named: draft.named.map((file) => placed(file, options)) }),
    locations: draft.locations ?? [],
    basis,
    ...(needs.length > 0 && { needs }),
    repeat: draft.repeat,
    after: request.waitForPrevious ? 'everything' : 'conflicts',
    ...(draft.annotations && { annotations: draft.annotations }),
    byDefault: draft.byDefault ?? null,
    digest: digestOf(request, tool, { basis, needs }, options),
  };
  return { ok: true, plan, preview: new DraftPreview(draft, request) };
}
const NO_RESOURCES: readonly Resource[] = [];

export function classified(
  resource: PlanDraft['resources'][number],
  options: Pick<PlanningOptions, 'classify' | 'workspace'> & {
    readonly kept: Pick<SessionDirectory, 'holds'>;
  },
): Resource {
  switch (resource.kind) {
    case 'fs.read':
      // What this session's own calls left is there to be read by it.
      if (options.kept.holds(resource.path)) return { ...resource, place: 'workspace', guarded: null };
      return placed(resource, options);
    case 'fs.write':
      return placed(resource, options);
    case 'net':
    case 'mcp':
    case 'opaque':
      return resource;
  }
}

/** Where a path lies, by the program that composes the engine; a tool may have a reason of its own to ask. */
export function placed(
  resource: Extract<PlanDraft['resources'][number], { path: string }>,
  { classify, workspace }: Pick<PlanningOptions, 'classify' | 'workspace'>,
): FileResource {
  const { place, guarded, guardsReading = true, ours = false } = classify(workspace, resource.path);
  const byPath = resource.kind === 'fs.write' || guardsReading ? guarded : null;
  return { ...resource, place, guarded: byPath ?? resource.guarded ?? null, ...(ours && { ours }) };
}

/**
 * What an answer is bound to. The turn is part of it, since an id may come again in a later one; the tool's name is in
 * the hash of the arguments. Hashes and numbers hold no blank, the id says how long it is and JSON where it ends, so no
 * two sets of parts read the same.
 */
export function digestOf(
  request: CallRequest,
  tool: Tool,
  { basis, needs = NO_NEEDS }: Pick<Plan, 'basis' | 'needs'>,
  { sessionId, tools }: Pick<PlanningOptions, 'sessionId' | 'tools'>,
): string {
  const { turn, callId, argsHash } = request;
  const rests = needs.length === 0 ? canonicalJson(basis) : canonicalJson({ basis, needs });
  const what = `${argsHash} ${tools.definitionHash(tool)} ${rests}`;
  return sha256(`${what} ${turn} ${callId.length} ${callId} ${sessionId}`);
}

class DraftPreview implements Preview {
  readonly #draft: PlanDraft;
  readonly #request: CallRequest;

  constructor(draft: PlanDraft, request: CallRequest) {
    this.#draft = draft;
    this.#request = request;
  }

  get confirmation(): Confirmation {
    const shown = this.#draft.confirmation;
    if (shown === undefined) return plainQuestion(this.#draft, this.#request);
    // What cannot be stored cannot be asked, and would be tried again in a loop.
    const plain = plainObject(shown);
    if (plain.ok) return shown;
    const { prompt, ...question } = plainQuestion(this.#draft, this.#request);
    return {
      ...question,
      prompt: `The tool's own preview cannot be shown: ${plain.problem}. Its arguments:\n${prompt}`,
    };
  }

  get onAnswer(): PlanDraft['onAnswer'] {
    return this.#draft.onAnswer;
  }

  get narrowGrant(): PlanDraft['narrowGrant'] {
    return this.#draft.narrowGrant;
  }
}

const plainQuestion = (draft: PlanDraft, request: CallRequest): Extract<Confirmation, { type: 'info' }> => ({
  type: 'info',
  title: draft.title,
  prompt: `${request.name} ${JSON.stringify(request.args, null, 2)}`,
  urls: draft.resources.flatMap((resource) => (resource.kind === 'net' ? [resource.host] : [])),
});

function failureOf(thrown: unknown, request: CallRequest): Failure {
  if (thrown instanceof ToolFailure) return thrown.failure;
  return { code: 'plan_failed', name: request.name, message: wordsOf(thrown) };
}

const failed = (failure: Failure): Extract<PlanOutcome, { ok: false }> => ({ ok: false, failure });
