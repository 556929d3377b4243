import { join } from 'node:path';
import type { CallHooks, Toolbox } from '@countersign/engine';
import { plainData } from '@countersign/host';
import { type Failure, PLANS_DIRECTORY } from '@countersign/protocol';

/** Hooks that are commands, in the words of the settings of Gemini CLI and of the program: docs/HOOKS.md. */
export type HookSettings = {
  readonly BeforeTool?: readonly HookGroup[] | undefined;
  readonly AfterTool?: readonly HookGroup[] | undefined;
  /** Those of an agent, which is not a part of the library: known, and never run. */
  readonly [event: string]: readonly HookGroup[] | undefined;
};

type HookGroup = {
  /** A regular expression for names of tools; all of them if omitted. */
  readonly matcher?: string | undefined;
  /** One after the other instead of all at once. */
  readonly sequential?: boolean | undefined;
  readonly hooks: readonly {
    readonly type: 'command';
    readonly command: string;
    readonly name?: string | undefined;
    /** Milliseconds. */
    readonly timeout?: number | undefined;
    readonly onFailure?: 'deny' | 'ignore' | undefined;
    /** Plain text is invalid, also where it would be a message. */
    readonly output?: 'json' | undefined;
  }[];
};

type Around =
  | { readonly ok: true; readonly hooks: CallHooks | undefined }
  | { readonly ok: false; readonly failure: Failure };

/** What the engine runs around calls, from either form. What reads settings and starts programs is loaded only for these. */
export async function hooksAround(
  given: CallHooks | HookSettings | undefined,
  workspace: string,
  tools: Pick<Toolbox, 'aliasesOf'>,
): Promise<Around> {
  if (given === undefined || isCallHooks(given)) return { ok: true, hooks: given };
  const { callHooks, readHooks } = await import('@countersign/hooks');
  const settings = plainData({ hooks: given });
  if (!settings.ok) {
    const problem =
      'Config.hooks must be functions, with "before" among them, or settings that are plain data';
    return { ok: false, failure: { code: 'invalid_request', problem } };
  }
  const { hooks, problems } = await readHooks(settings.value, 'user', 'Config');
  const [problem] = problems;
  // A hook that is omitted is a guard that is missing.
  if (problem) {
    const { path, problem: text } = problem;
    return { ok: false, failure: { code: 'invalid_request', problem: `${path}: ${text}` } };
  }
  const around = callHooks({
    hooks,
    trusted: new Map(),
    environment: process.env,
    pass: [],
    plansDirectory: join(workspace, PLANS_DIRECTORY),
    aliasesOf: (tool) => tools.aliasesOf(tool),
    // Messages of hooks are in the notes of each call; a library prints nothing by itself.
    onMessage: () => {},
  });
  return { ok: true, hooks: around };
}

const isCallHooks = (given: CallHooks | HookSettings): given is CallHooks =>
  typeof given.before === 'function';
