import type { PlanContext, PlanDraft, RunContext, Tool } from '@countersign/engine';
import { resolvePathSync } from '@countersign/host';
import type { ModelFamily } from '@countersign/protocol';
import { type ToolDefinition as Definition, defineTool as define, readGrantedText } from '@countersign/tools';
import type * as z from 'zod';
import type { ToolResult } from '../types/tool-types.js';
import { settleResult } from './settle-result.js';

/**
 * What the `plan` function of a tool can use. A plan only looks.
 *
 * @example
 * ```ts
 * const plan = ({ file_path }: { file_path: string }, { resolve }: PlanningContext): PlanDraft => ({
 *   title: `Read ${file_path}`,
 *   resources: [read(resolve(file_path))],
 *   repeat: 'safe',
 * });
 * ```
 */
export type PlanningContext = PlanContext & {
  /** The one real path that a path argument means, with symlinks and `..` resolved; it need not exist. */
  readonly resolve: (path: string) => string;
};

/**
 * What the `run` function of a tool can use.
 *
 * @example
 * ```ts
 * const run = async ({ file_path }: { file_path: string }, { readText, updateOutput }: RunningContext) => {
 *   const text = await readText(file_path);
 *   updateOutput(`${text.length} characters`);
 *   return { llmContent: text, returnDisplay: file_path };
 * };
 * ```
 */
export type RunningContext = RunContext &
  Pick<PlanningContext, 'resolve'> & {
    /** The whole text of a file that the plan named as read or written. */
    readonly readText: (path: string) => Promise<string>;
  };

/**
 * The argument of `defineTool`.
 *
 * @example
 * ```ts
 * const input = z.object({ text: z.string() });
 * const shout: ToolDefinition<typeof input> = {
 *   name: 'shout',
 *   displayName: 'Shout',
 *   description: 'Returns the text in capitals.',
 *   kind: Kind.Think,
 *   input,
 *   plan: () => ({ title: 'Shout', resources: [], repeat: 'safe' }),
 *   run: async ({ text }) => ({ llmContent: text.toUpperCase(), returnDisplay: text.toUpperCase() }),
 * };
 * ```
 */
export type ToolDefinition<Input extends z.ZodObject> = Omit<
  Definition<Input>,
  'input' | 'words' | 'plan' | 'run'
> & {
  /** The one source of the argument types, their check, and the schema that a model sees. */
  readonly input: Input;
  /** The description for a family of models, where it differs. `input` still checks every call. */
  readonly words?: { readonly [F in ModelFamily]?: FamilyWords };
  /** Describes what a call would do, without any effect. */
  readonly plan: (args: z.output<Input>, context: PlanningContext) => PlanDraft | Promise<PlanDraft>;
  readonly run: (args: z.output<Input>, context: RunningContext) => ToolResult | Promise<ToolResult>;
};

export type FamilyWords = {
  readonly description?: string;
  /** Another schema of arguments, which `renameArgs` understands. */
  readonly input?: z.ZodObject;
};

/**
 * Makes a tool whose arguments are typed, checked and declared to models by one zod schema.
 *
 * @example
 * ```ts
 * const wordCount = defineTool({
 *   name: 'word_count',
 *   displayName: 'Word count',
 *   description: 'Counts the words of a file.',
 *   kind: Kind.Read,
 *   input: z.object({ file_path: z.string() }),
 *   plan: ({ file_path }, { resolve }) => ({
 *     title: `Count ${file_path}`,
 *     resources: [read(resolve(file_path))],
 *     repeat: 'safe',
 *   }),
 *   run: async ({ file_path }, { readText }) => {
 *     const words = (await readText(file_path)).split(/\s+/).length;
 *     return { llmContent: `${words} words`, returnDisplay: `${words} words` };
 *   },
 * });
 * registry.registerTool(wordCount);
 * ```
 */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input, words, plan, run, ...rest } = definition;
  return define<Input>({
    ...rest,
    input: () => input,
    ...(words && { words: Object.fromEntries(Object.entries(words).map(laterMade)) }),
    plan: (args, context) => plan(args, planningIn(context)),
    run: async (args, context) => settleResult(await run(args, runningIn(context))),
  });
}

type LaterWords = { readonly description?: string; readonly input?: () => z.ZodObject };

const laterMade = ([family, { input, ...words }]: [string, FamilyWords]): [string, LaterWords] => [
  family,
  { ...words, ...(input && { input: () => input }) },
];

/** The signal is passed on as it is read: most tools never read it, and making one costs more than a small call. */
function planningIn(context: PlanContext): PlanningContext {
  const { sessionId, callId, workspace } = context;
  return {
    sessionId,
    callId,
    workspace,
    get wasRead() {
      return context.wasRead;
    },
    get earlier() {
      return context.earlier;
    },
    get needs() {
      return context.needs;
    },
    get signal() {
      return context.signal;
    },
    resolve: (path) => resolvePathSync(workspace, path),
  };
}

function runningIn(context: RunContext): RunningContext {
  const { sessionId, callId, workspace, attempt, plan, permit, answers, setMode, ask } = context;
  const { updateOutput, progress, process } = context;
  return {
    sessionId,
    callId,
    workspace,
    attempt,
    plan,
    permit,
    answers,
    setMode,
    ask,
    updateOutput,
    progress,
    process,
    get sessionDirectory() {
      return context.sessionDirectory;
    },
    get directory() {
      return context.directory;
    },
    get signal() {
      return context.signal;
    },
    resolve: (path) => resolvePathSync(workspace, path),
    readText: (path) => readGrantedText(path, { plan, workspace }),
  };
}
