import { visibleLine } from '@countersign/display';
import { JournalError, nearest } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import { ToolFailure } from '@countersign/protocol';
import { approvals } from './approvals/approvals.js';
import { grants } from './approvals/grants.js';
import { exec } from './exec/exec.js';
import { headless } from './headless/headless.js';
import { helpOn, overview } from './help.js';
import { EXIT, type ExitCode } from './io/exit-codes.js';
import { CommandFailure, usage } from './io/failure-text.js';
import type { Io } from './io/io.js';
import type { Command } from './options/subcommand.js';
import { policy } from './policy/policy.js';
import { trust } from './trust.js';

/** Every command. `main.ts` loads this file only to run one: `--version` and `help` need no engine. */

const COMMANDS: { readonly [name: string]: Command } = {
  exec,
  approvals,
  policy,
  grants,
  trust,
  // These are loaded when they run.
  sessions: async (args, io) => (await import('./sessions/sessions.js')).sessions(args, io),
  attach: async (args, io) => (await import('./sessions/attach.js')).attach(args, io),
  acp: async (args, io) => (await import('./acp/acp.js')).acp(args, io),
  mcp: async (args, io) => (await import('./mcp/mcp.js')).mcp(args, io),
  stats: async (args, io) => (await import('./stats/stats.js')).stats(args, io),
  demo: async (args, io) => (await import('./demo/demo.js')).demo(args, io),
  serve: async (args, io) => (await import('./serve/serve.js')).serve(args, io),
  doctor: async (args, io) => (await import('./doctor/doctor.js')).doctor(args, io),
};

export async function runCommand(name: string, args: readonly string[], io: Io): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownCommand(name);
  return run(command, name, args, io);
}

export function unknownCommand(name: string): CommandFailure {
  const problem = `There is no command "${visibleLine(name)}"`;
  // Several words are most likely a prompt.
  if (/\s/.test(name)) return usage(problem, `countersign -p ${shellWord(name)}`);
  const [meant] = nearest(name, Object.keys(COMMANDS));
  if (meant === undefined) return usage(problem, 'countersign help');
  return usage(`${problem}. Did you mean "${meant}"?`, `countersign help ${meant}`);
}

export const runPrompt = (args: readonly string[], io: Io): Promise<ExitCode> =>
  run(headless, 'prompt', args, io);

export const runInteractive = (args: readonly string[], io: Io): Promise<ExitCode> =>
  run(
    async (...given) => (await import('./interactive/interactive.js')).interactive(...given),
    'terminal',
    args,
    io,
  );

async function run(command: Command, name: string, args: readonly string[], io: Io): Promise<ExitCode> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(helpOn(name) ?? overview());
    return EXIT.ok;
  }
  try {
    return await command(args, io);
  } catch (thrown) {
    // An error of our own is printed with its stack; these are about the user's disk.
    const isExpected = thrown instanceof JournalError || thrown instanceof ToolFailure;
    throw isExpected ? new CommandFailure(thrown.failure) : thrown;
  }
}
