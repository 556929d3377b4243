import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ResumeContext, type RunContext } from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import {
  type Failure,
  type JsonObject,
  type Need,
  type Reach,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import { type ShellOptions, shellOptions } from '../../confined-command/options.js';
import { planContext, planOf, runContext } from '../../testing/carry-out.js';
import { runShellCommand } from '../run-shell-command.js';

export type Came =
  | { readonly ok: true; readonly result: ToolResult; readonly text: string }
  | { readonly ok: false; readonly failure: Failure; readonly text: string };

export type Circumstances = {
  readonly signal?: AbortSignal;
  readonly updateOutput?: (text: string) => void;
  readonly process?: (pid: number) => void;
  /** Which call it is; a new one if omitted. */
  readonly call?: number;
  readonly startedAt?: number;
  /** What allowed it to run; policy if omitted. */
  readonly permit?: RunContext['permit'];
  /** What a person has agreed to open up. */
  readonly needs?: readonly Need[];
};

export type TemporaryShell = TemporaryWorkspace & {
  readonly sessionDirectory: string;
  readonly context: (args: JsonObject, circumstances?: Circumstances) => Promise<ResumeContext>;
  readonly run: (args: JsonObject | string, circumstances?: Circumstances) => Promise<Came>;
  /** Runs a call that another shell planned. */
  readonly runPlanned: (args: JsonObject | string, context: RunContext) => Promise<Came>;
  /** What a person would be shown of the permissions it would have. */
  readonly reach: (command: string, needs?: readonly Need[]) => Promise<Reach | null>;
  readonly resume: (args: JsonObject | string, circumstances?: Circumstances) => Promise<Came>;
  readonly leave: () => Promise<void>;
  readonly directoryOf: (call: number) => string;
};

/** Commands in a workspace of their own, each call in its own directory, as the engine has it. Not confined by default. */
export function temporaryShell(
  options: Partial<ShellOptions> = {},
  place = temporaryWorkspace(),
): TemporaryShell {
  const tool = runShellCommand({ ...shellOptions({}), sandbox: 'off', ...options });
  const sessionDirectory = join(place.workspace, '..', 'session');
  let calls = 0;
  const directoryOf = (call: number) => join(sessionDirectory, `1-${call}`);

  const context = async (args: JsonObject, circumstances: Circumstances = {}): Promise<ResumeContext> => {
    const { call = (calls += 1), startedAt = Date.now(), needs = [], ...others } = circumstances;
    const draft = await tool.plan(args, { ...planContext({ workspace: place.workspace }), needs });
    const plan = { ...planOf(tool, draft, place.workspace), needs };
    const base: RunContext = runContext(plan, { workspace: place.workspace });
    return { ...base, ...others, sessionDirectory, directory: directoryOf(call), startedAt };
  };
  const argsOf = (given: JsonObject | string) => (typeof given === 'string' ? { command: given } : given);

  return {
    ...place,
    sessionDirectory,
    context,
    directoryOf,
    run: async (given, circumstances) =>
      came(tool.run(argsOf(given), await context(argsOf(given), circumstances))),
    runPlanned: (given, planned) => came(tool.run(argsOf(given), planned)),
    reach: async (command, needs = []) => {
      const draft = await tool.plan({ command }, { ...planContext({ workspace: place.workspace }), needs });
      return draft.confirmation?.type === 'exec' ? (draft.confirmation.reach ?? null) : null;
    },
    leave: async () => tool.leave?.({ sessionId: 'session', sessionDirectory }),
    resume: async (given, circumstances) => {
      if (!tool.resume) throw new Error('it cannot be resumed');
      return came(tool.resume(argsOf(given), await context(argsOf(given), circumstances)));
    },
  };
}

export async function came(work: ToolResult | Promise<ToolResult>): Promise<Came> {
  try {
    const result = await work;
    return { ok: true, result, text: textOf(result) };
  } catch (error) {
    if (error instanceof ToolFailure) return { ok: false, failure: error.failure, text: error.output ?? '' };
    throw error;
  }
}

const textOf = ({ llmContent }: ToolResult): string =>
  typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);

/** Command lines of processes that have this text in theirs. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
