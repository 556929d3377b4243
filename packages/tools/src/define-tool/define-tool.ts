import type {
  Alias,
  PlanContext,
  PlanDraft,
  ResumeContext,
  RunContext,
  Tool,
  ToolWords,
} from '@countersign/engine';
import { type ArgumentIssue, describeIssues, once } from '@countersign/host';
import {
  type JsonObject,
  type Kind,
  type ModelFamily,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import * as z from 'zod';
import { argumentProblems } from './argument-problems.js';

export type ToolDefinition<Input extends z.ZodObject> = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Kind;
  /**
   * The one source of the argument types, their check, and the schema that a model sees. Made on first use: most sessions
   * never declare or call every tool, and all schemas together take longer than the rest of a start.
   */
  readonly input: () => Input;
  readonly canUpdateOutput?: boolean | undefined;
  /** The description for a family of models, where it differs. `input` still checks every call. */
  readonly words?: { readonly [F in ModelFamily]?: FamilyWords | undefined } | undefined;
  readonly aliases?: readonly Alias[] | undefined;
  readonly renameArgs?: ((args: JsonObject) => JsonObject) | undefined;
  readonly withContent?: Tool['withContent'] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly whenStopped?: 'throws' | undefined;
  readonly plan: (args: z.output<Input>, context: PlanContext) => PlanDraft | Promise<PlanDraft>;
  readonly run: (args: z.output<Input>, context: RunContext) => ToolResult | Promise<ToolResult>;
  readonly resume?:
    | ((args: z.output<Input>, context: ResumeContext) => ToolResult | Promise<ToolResult>)
    | undefined;
  readonly leave?: Tool['leave'] | undefined;
};

export type FamilyWords = {
  readonly description?: string | undefined;
  /** Another schema of arguments, which `renameArgs` understands. */
  readonly input?: (() => z.ZodObject) | undefined;
};

/** A `Tool` whose arguments are typed by its schema. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input: makeInput, words, plan, run, resume, ...others } = definition;
  const {
    renameArgs,
    withContent,
    leave,
    canUpdateOutput = false,
    aliases,
    timeoutMs,
    whenStopped,
    ...common
  } = others;
  const { name } = common;
  const input = once(makeInput);
  const inputSchema = once(() => jsonSchemaOf(input()));

  // Kept, since every request to the model contains them.
  const declared = new Map<ModelFamily, ToolWords>();
  const overrides = (family: ModelFamily) => {
    const known = declared.get(family) ?? wordsFor(words?.[family]);
    declared.set(family, known);
    return known;
  };

  const problemsOf = (args: unknown, error: z.ZodError) =>
    argumentProblems({ tool: name, schema: inputSchema(), args, issues: error.issues });

  // Check, plan and run receive the same arguments object, which does not change in between.
  const read = new WeakMap<JsonObject, z.output<Input>>();
  const typed = (args: JsonObject): z.output<Input> => {
    const known = read.get(args);
    if (known) return known;
    const parsed = input().safeParse(args, INTERPRETED);
    if (parsed.success) return parsed.data;
    throw new ToolFailure({ code: 'invalid_tool_params', name, problems: problemsOf(args, parsed.error) });
  };

  return {
    ...common,
    canUpdateOutput,
    ...(aliases && { aliases }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(whenStopped && { whenStopped }),
    ...(words && { overrides }),
    ...(withContent && { withContent }),
    ...(leave && { leave }),
    ...(renameArgs && { renameArgs: (args) => (isObject(args) ? renameArgs(args) : args) }),
    get inputSchema() {
      return inputSchema();
    },
    check: (args) => {
      const parsed = input().safeParse(args, INTERPRETED);
      if (!parsed.success) return { ok: false, problems: problemsOf(args, parsed.error) };
      const unknown = droppedArguments(input(), args);
      if (unknown.length > 0)
        return {
          ok: false,
          problems: describeIssues({ tool: name, schema: inputSchema(), args, issues: unknown }),
        };
      read.set(args, parsed.data);
      return { ok: true, args };
    },
    plan: (args, context) => plan(typed(args), context),
    run: (args, context) => run(typed(args), context),
    ...(resume && { resume: (args, context) => resume(typed(args), context) }),
  };
}

/** To compile a schema takes zod longer than to read the arguments of a hundred calls with it. */
const INTERPRETED = { jitless: true };

function wordsFor({ description, input }: FamilyWords = {}): ToolWords {
  return {
    ...(description !== undefined && { description }),
    ...(input && { inputSchema: jsonSchemaOf(input()) }),
  };
}

/**
 * A `z.object` drops arguments that it does not know. These are reported
 * instead, since no code would act on them: the schema that the model has rules them out.
 */
function droppedArguments({ def, shape }: z.ZodObject, args: JsonObject): ArgumentIssue[] {
  if (def.catchall !== undefined) return [];
  const dropped = Object.keys(args).filter((key) => !Object.hasOwn(shape, key));
  return dropped.map((key) => ({ type: 'unknown', path: [key] }));
}

/** A model may send anything; what is no object at all is left for the check to name. */
const isObject = (args: unknown) => typeof args === 'object' && args !== null && !Array.isArray(args);

function jsonSchemaOf(input: z.ZodObject): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    override: ({ jsonSchema }) => {
      // zod bounds every whole number by what a double can count; to a model that is noise.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  // Without what JSON does not hold. To parse it with zod again would take a third of the whole.
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
