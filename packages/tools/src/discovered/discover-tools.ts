import type { Tool } from '@countersign/engine';
import { bytesInWords, type HostEnvironment } from '@countersign/host';
import type { Failure } from '@countersign/protocol';
import { type DiscoveredOptions, discoveredTool, type SchemaRules } from './discovered-tool.js';
import { readDeclarations } from './read-declarations.js';
import { runScript, type ScriptEnd } from './run-script.js';

export type DiscoveryOptions = {
  /** A shell command line that prints which tools there are. */
  readonly discoveryCommand: string;
  /** A shell command line that runs one: its name is added as an argument, its own arguments come as JSON on stdin. */
  readonly callCommand: string;
  /** Where both run: the real path of a directory. */
  readonly workspace: string;
  /** The host's environment, from which secrets are omitted. */
  readonly env: HostEnvironment;
  /** Names of variables that are let through whatever they look like. */
  readonly pass?: readonly string[];
  readonly schemas: SchemaRules;
  /** Names that other tools have already. */
  readonly isTaken: (name: string) => boolean;
  /** Asked before each call: why the command may not run now, in a sentence; null if it may. */
  readonly doubt?: () => Promise<string | null>;
  /** Stops the discovery; omitted, only its time limit does. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DiscoveryLimits>;
};

export type DiscoveryLimits = {
  readonly discoveryTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** What one of the commands may print; it is held in memory. */
  readonly outputBytesMax: number;
};

const DEFAULT_LIMITS: DiscoveryLimits = {
  discoveryTimeoutMs: 30_000,
  callTimeoutMs: 10 * 60_000,
  outputBytesMax: 10_000_000,
};

export type Discovery =
  /** `problems`: one sentence for each declaration that could not be used. */
  | { readonly ok: true; readonly tools: readonly Tool[]; readonly problems: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

/** Asks a command of the project which tools there are, and makes a tool of each. */
export async function discoverTools(options: DiscoveryOptions): Promise<Discovery> {
  const { discoveryCommand: command, workspace, env, pass = [], signal = NEVER } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { discoveryTimeoutMs: timeoutMs, outputBytesMax } = limits;
  const where = { directory: workspace, env, pass, outputBytesMax };
  const end = await runScript(command, { ...where, args: [], input: '', timeoutMs, signal });

  const failed = (problem: string, printed: string): Discovery => ({
    ok: false,
    failure: { code: 'tool_discovery_failed', command, problem, printed: shortened(printed) },
  });
  const trouble = troubleOf(end, limits);
  if (trouble !== null) return failed(trouble, end.stderr || end.stdout);
  const read = readDeclarations(end.stdout);
  if (!read.ok) return failed(read.problem, end.stdout);

  const { callCommand, schemas, isTaken } = options;
  const { doubt = async () => null } = options;
  const forAll: DiscoveredOptions = {
    callCommand,
    schemas,
    doubt,
    timeoutMs: limits.callTimeoutMs,
    ...where,
  };
  const problems = [...read.problems];
  const tools = new Map<string, Tool>();
  for (const declaration of read.declarations) {
    const made = discoveredTool(declaration, forAll, isTaken);
    if (!made.ok) problems.push(made.problem);
    else if (tools.has(made.tool.name)) problems.push(`"${declaration.name}" is declared more than once`);
    else tools.set(made.tool.name, made.tool);
  }
  return { ok: true, tools: [...tools.values()], problems };
}

/** Why the output of the command cannot be used; null if it can. What it prints on stderr does not matter. */
function troubleOf(end: ScriptEnd, limits: DiscoveryLimits): string | null {
  switch (end.how) {
    case 'exited':
      return end.code === 0 ? null : `ended with exit code ${end.code}`;
    case 'killed':
      return `was terminated by ${end.signal}`;
    case 'not started':
      return `could not be started: ${end.message}`;
    case 'cancelled':
      return 'was stopped before it finished';
    case 'timed out':
      return `did not finish within ${limits.discoveryTimeoutMs} ms and was stopped`;
    case 'printed too much':
      return `printed more than ${bytesInWords(limits.outputBytesMax)} and was stopped`;
  }
}

/** Never aborted. */
const NEVER = new AbortController().signal;

const PRINTED_CHARS_MAX = 500; // enough to recognise what it was

const shortened = (text: string): string =>
  text.length > PRINTED_CHARS_MAX
    ? `${text.slice(0, PRINTED_CHARS_MAX)}… (${text.length} characters)`
    : text.trimEnd();
