import { rm } from 'node:fs/promises';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import {
  type PlanContext,
  type PlanDraft,
  type ResumeContext,
  type RunContext,
  type Tool,
} from '@countersign/engine';
import {
  type CommandLimits,
  callOff,
  commandFiles,
  type Found,
  findCommand,
  follow,
  liveOutput,
  makeDirectory,
  type Outcome,
  overBy,
  pidFileOf,
  type RunningCommand,
} from '@countersign/host';
import { type DeclaredResource, ToolFailure, type ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { keepInBackground, makeRoom } from '../background/keep-in-background.js';
import { endAll } from '../background/registry.js';
import { resultOf } from '../confined-command/command-result.js';
import { ownFilesOf, scratchOf } from '../confined-command/confine-command.js';
import type { ShellOptions } from '../confined-command/options.js';
import { confinementHere, reachOf, shownReach } from '../confined-command/reach.js';
import { workingDirectory } from '../confined-command/working-directory.js';
import { defineTool } from '../define-tool/define-tool.js';
import { renamed } from '../define-tool/rename-args.js';
import { begin, NEVER_BEGAN } from './begin.js';
import { understand } from './resources.js';

const COMMAND_CHARS_MAX = 1_000_000; // longer ones are programs, and belong in a file
const TIMEOUT_MS_DEFAULT = 10 * 60_000;
const TIMEOUT_MS_MAX = 24 * 60 * 60_000;
const DELAY_MS_MAX = 60_000; // a longer wait takes another call
const TITLE_CHARS_MAX = 120;

const input = () =>
  z.strictObject({
    command: z
      .string()
      .max(COMMAND_CHARS_MAX)
      .refine((text) => text.trim() !== '', '"command" is empty')
      .refine((text) => !text.includes('\0'), '"command" contains a NUL character, which is not allowed')
      .refine(
        (text) => !/\p{Surrogate}/u.test(text),
        '"command" contains half a character (an unpaired surrogate)',
      )
      .describe('The command line, as for `bash -c`.'),
    description: z.string().optional().describe('The purpose of the command, in a few words.'),
    dir_path: z
      .string()
      .optional()
      .describe('Directory to run it in, relative to the workspace or absolute. Default: the workspace.'),
    is_background: z
      .boolean()
      .optional()
      .describe('Let it run while you do other things, e.g. a server. The result has its process id.'),
    delay_ms: z
      .int()
      .min(0)
      .max(DELAY_MS_MAX)
      .optional()
      .describe('With is_background: how long to wait for its first output before returning.'),
    timeout_ms: z
      .int()
      .min(1)
      .max(TIMEOUT_MS_MAX)
      .optional()
      .describe(
        `When to stop it if it is still running. Default ${TIMEOUT_MS_DEFAULT}; in the background never.`,
      ),
  });
type Input = z.output<ReturnType<typeof input>>;

export const runShellCommand = (options: ShellOptions): Tool =>
  defineTool({
    name: 'run_shell_command',
    displayName: 'Run command',
    description:
      'Run a command line with bash, without a terminal and without input. Returns its output, in order, and its exit code. Long output is shortened to its head and tail; the full output is stored in a file that you can read. Processes that it leaves running are stopped with it, unless is_background is set.',
    kind: 'execute',
    input,
    canUpdateOutput: true,
    aliases: [{ name: 'shell' }, { name: 'bash' }],
    renameArgs: (args) =>
      renamed(args, { background: 'is_background', directory: 'dir_path', cwd: 'dir_path' }),
    // The limits are kept here, where a command that continued through a crash is still given only its own time.
    timeoutMs: TIMEOUT_MS_MAX + 60_000,
    plan: (args, context) => plan(args, context, options),
    run: async (args, context) => {
      if (context.signal.aborted) throw new ToolFailure(NEVER_BEGAN);
      if (args.is_background) await makeRoom(context.sessionDirectory);
      return stayWith(await begin(args.command, 1, context, options), args, context, options);
    },
    resume: (args, context) => resume(args, context, options),
    leave: async ({ sessionDirectory }) => {
      await endAll(sessionDirectory);
      // What a command made so that it cannot be removed stays with what the session keeps.
      for (const path of [scratchOf(sessionDirectory), ownFilesOf(sessionDirectory)])
        await rm(path, { recursive: true, force: true }).catch(() => undefined);
    },
  });

async function plan(
  { command, dir_path }: Input,
  { workspace, needs }: PlanContext,
  options: ShellOptions,
): Promise<PlanDraft> {
  const reach = shownReach(await reachOf('person', needs, options));
  const directory = await workingDirectory(workspace, dir_path);
  const place: DeclaredResource[] =
    dir_path === undefined ? [] : [{ kind: 'fs.read', path: directory, scope: 'file' }];
  const { resources, named, risk } = await understand(command, {
    workspace,
    directory,
    isConfined: async () => (await confinementHere(options)).run === 'confined',
    options,
  });
  const title = titleOf(command);
  return {
    title,
    resources: [...place, ...resources],
    named,
    repeat: 'resumable',
    locations: [{ path: directory }],
    get confirmation() {
      return { type: 'exec' as const, title, command, directory, ...risk(), reach };
    },
  };
}

/** The command and not its description: what a person is shown is what will run. */
function titleOf(command: string): string {
  const [first = '', ...others] = command.trim().split('\n');
  const isCut = others.length > 0 || first.length > TITLE_CHARS_MAX;
  return isCut ? `${first.slice(0, TITLE_CHARS_MAX)} …` : first;
}

function stayWith(
  command: RunningCommand,
  args: Input,
  context: RunContext,
  options: ShellOptions,
): Promise<ToolResult> {
  const { outputBytesMax, idleMs } = options;
  const totalMs = args.timeout_ms ?? null;
  if (args.is_background) {
    const limits = { totalMs, idleMs: null, outputBytesMax };
    return keepInBackground(command, { text: args.command, delayMs: args.delay_ms ?? 0, limits }, context);
  }
  return seeThrough(command, context, { totalMs: totalMs ?? TIMEOUT_MS_DEFAULT, idleMs, outputBytesMax });
}

async function seeThrough(
  command: RunningCommand,
  context: RunContext,
  limits: CommandLimits,
): Promise<ToolResult> {
  try {
    const live = liveOutput(command);
    const ending = await follow(command, {
      limits,
      signal: context.signal,
      manner: 'watched',
      onFirstLook: () => context.process(command.pid),
      onOutput: (bytes) => context.updateOutput(live(bytes)),
    });
    return resultOf(command, ending);
  } finally {
    command.close();
  }
}

/** The result of a command that another process started. It is started here only if it is certain that it never was. */
async function resume(args: Input, context: ResumeContext, options: ShellOptions): Promise<ToolResult> {
  // It may have been cancelled before that process died: the cancellation comes first.
  await setImmediate();
  const found = await findOrCallOff(context);
  switch (found.type) {
    case 'running':
      return stayWith(found.command, args, context, options);
    case 'exited':
      context.endedAt?.(found.at);
      return conclude(found.command, overBy(found.command, found.exit, options));
    case 'lost':
      return conclude(found.command, found);
    case 'silent': {
      if (context.signal.aborted) throw new ToolFailure(NEVER_BEGAN);
      const command = await begin(args.command, found.number + 1, context, options);
      return stayWith(command, args, context, options);
    }
  }
}

async function conclude(command: RunningCommand, outcome: Outcome): Promise<ToolResult> {
  try {
    return resultOf(command, { ...outcome, ended: await command.end() });
  } finally {
    command.close();
  }
}

const ANNOUNCING_LOOKS_MAX = 100;
const LOOKS_APART_MS = 10; // a process writes its own number into a file that it has just made

/** 'silent' only once no other process can start it any more. */
async function findOrCallOff({ directory, startedAt }: ResumeContext): Promise<Found> {
  const files = commandFiles(directory);
  makeDirectory(files);
  for (let look = 0; look < ANNOUNCING_LOOKS_MAX; look += 1) {
    const found = findCommand(directory, startedAt);
    if (found.type !== 'silent' || callOff(pidFileOf(files, found.number))) return found;
    await delay(LOOKS_APART_MS);
  }
  throw new ToolFailure({
    code: 'command_lost',
    evidence: `a process was about to start it and never recorded its id (${files.directory})`,
  });
}
