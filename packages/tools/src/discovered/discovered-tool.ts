import { type RunContext, type Tool } from '@countersign/engine';
import { bytesInWords, SIGNAL_BASE, signalName } from '@countersign/host';
import { type JsonObject, ToolFailure, type ToolResult } from '@countersign/protocol';
import type { Declaration } from './read-declarations.js';
import { runScript, type ScriptEnd, type ScriptPlace } from './run-script.js';

/** How foreign schemas are understood. */
export type SchemaRules = {
  /** A schema as JSON Schema spells it; throws with the reason if it is none. */
  readonly normal: (schema: JsonObject) => JsonObject;
  /** What is wrong with the arguments of a tool, or null. */
  readonly problemOf: (schema: JsonObject, args: JsonObject, tool: string) => string | null;
};

export type DiscoveredOptions = ScriptPlace & {
  readonly callCommand: string;
  readonly schemas: SchemaRules;
  readonly timeoutMs: number;
  /** Why the command may not run now, in a sentence; null if it may. */
  readonly doubt: () => Promise<string | null>;
};

export type Made =
  | { readonly ok: true; readonly tool: Tool }
  | { readonly ok: false; readonly problem: string };

/** What Gemini CLI puts before the name of every discovered tool; here only where another tool has the name. */
const PREFIX = 'discovered_tool_';

/** A tool that another program carries out. What it touches is unknown. */
export function discoveredTool(
  declaration: Declaration,
  options: DiscoveredOptions,
  isTaken: (name: string) => boolean,
): Made {
  const { schemas, callCommand, timeoutMs } = options;
  const prefixed = `${PREFIX}${declaration.name}`;
  const name = isTaken(declaration.name) ? prefixed : declaration.name;
  if (isTaken(name))
    return { ok: false, problem: `other tools already have the names "${declaration.name}" and "${name}"` };
  let inputSchema: JsonObject;
  try {
    inputSchema = schemas.normal(declaration.parameters ?? NO_PARAMETERS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `the schema of "${declaration.name}" cannot be used: ${reason}` };
  }
  const tool: Tool = {
    name,
    displayName: declaration.name,
    description: declaration.description || `${declaration.name}, a tool of this project.`,
    kind: 'other',
    inputSchema,
    canUpdateOutput: false,
    timeoutMs,
    ...(name !== prefixed && !isTaken(prefixed) && { aliases: [{ name: prefixed }] }),
    check: (args) => {
      const problem = schemas.problemOf(inputSchema, args, name);
      return problem === null ? { ok: true, args } : { ok: false, problems: [problem] };
    },
    plan: () => ({
      title: `${callCommand} ${declaration.name}`,
      resources: [{ kind: 'opaque', why: `"${callCommand}" may do anything` }],
      repeat: 'unsafe',
    }),
    run: (args, context) => call(declaration.name, args, context, options),
  };
  return { ok: true, tool };
}

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

async function call(
  name: string,
  args: JsonObject,
  context: RunContext,
  options: DiscoveredOptions,
): Promise<ToolResult> {
  const doubt = await options.doubt();
  if (doubt !== null)
    throw new ToolFailure({ code: 'execution_failed', message: `${name} was not run. ${doubt}` });
  const end = await runScript(`${options.callCommand} "$@"`, {
    ...options,
    args: [name],
    input: JSON.stringify(args),
    // The engine limits the time, by the signal.
    timeoutMs: null,
    signal: context.signal,
    started: context.process,
  });
  if (end.how !== 'exited' || end.code !== 0 || end.stderr !== '') throw failureOf(end, name, options);
  const output = end.stdout === '' ? `${name} succeeded and printed nothing.` : end.stdout;
  return { llmContent: output, returnDisplay: output };
}

function failureOf(end: ScriptEnd, name: string, { outputBytesMax }: DiscoveredOptions): ToolFailure {
  const failed = (message: string, output: string | null) =>
    new ToolFailure({ code: 'execution_failed', message, type: 'discovered_tool_execution_error' }, output);
  switch (end.how) {
    case 'exited': {
      const what = end.code === 0 ? 'reported an error' : 'failed';
      return failed(`${name} ${what}.\n${account(end, codeInWords(end.code), NOTHING)}`, null);
    }
    case 'killed':
      return failed(`${name} was terminated by a signal.\n${account(end, NOTHING, end.signal)}`, null);
    case 'not started':
      return failed(`${name} could not be started: ${end.message}`, null);
    case 'printed too much':
      return failed(
        `${name} was stopped: it printed more than ${bytesInWords(outputBytesMax)}.`,
        end.stdout || end.stderr,
      );
    case 'cancelled':
    case 'timed out':
      return failed(`${name} was stopped before it finished.`, end.stdout || end.stderr);
  }
}

const NOTHING = '(none)';

/** Everything that is known of the end, under the headings that models know from Gemini CLI. */
const account = ({ stdout, stderr }: ScriptEnd, code: string, signal: string): string =>
  [
    `Stdout: ${stdout || '(empty)'}`,
    `Stderr: ${stderr || '(empty)'}`,
    `Exit Code: ${code}`,
    `Signal: ${signal}`,
  ].join('\n');

/** A shell reports 128 + signal for a program that was killed; but a program may also exit with such a number. */
function codeInWords(code: number): string {
  const signal = signalName(code - SIGNAL_BASE);
  return signal === null ? String(code) : `${code} (as after ${signal})`;
}
