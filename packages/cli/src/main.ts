/**
 * The program `countersign`.
 *
 * What enters: arguments, standard input and the environment. What leaves: text for people, JSON lines for programs, and an exit code.
 *
 * What holds: `compose.ts` is the only file that knows every package and chooses adapters; a command loads only what it needs; a failure is a
 * sentence with a hint, and a stack trace means a fault of ours.
 */

import type { FailureCode } from '@countersign/protocol';
import { helpOn, overview } from './help.js';
import { EndSignals } from './io/end-signals.js';
import { EXIT, type ExitCode } from './io/exit-codes.js';
import { CommandFailure, failureText, NO_PROMPT } from './io/failure-text.js';
import { type Io, say } from './io/io.js';
import { VERSION } from './io/version.js';
import { expectNoMore } from './options/options.js';

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [command, ...rest] = args;
  if (command === '--version' || command === '-V') return print(io, `${VERSION}\n`);
  const inTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
  const isPiped = command === undefined && io.stdin.isTTY !== true;
  if (command === '--help' || command === '-h' || (command === undefined && !inTerminal && !isPiped))
    return print(io, overview());
  if (command === 'help') {
    const [wanted, ...more] = rest;
    expectNoMore('help', more);
    if (wanted === undefined) return print(io, overview());
    const page = helpOn(wanted);
    if (page === null) throw (await import('./commands.js')).unknownCommand(wanted);
    return print(io, page);
  }
  const { settleEnvironment } = await import('./options/settle-environment.js');
  settleEnvironment(io.env);
  const { runCommand, runInteractive, runPrompt } = await import('./commands.js');
  if (isPiped) return runPrompt(args, io).catch((thrown: unknown) => helpWithoutPrompt(thrown, io));
  if (command !== undefined && !command.startsWith('-')) return runCommand(command, rest, io);
  // An argument with a dash is an option of a prompt or of the terminal.
  return inTerminal && !args.some(isOfPrompt) ? runInteractive(args, io) : runPrompt(args, io);
}

/** Piped input alone is a prompt; without any, the program explains itself. */
function helpWithoutPrompt(thrown: unknown, io: Io): ExitCode {
  if (!(thrown instanceof CommandFailure) || thrown.failure.code !== 'usage') throw thrown;
  if (thrown.failure.problem !== NO_PROMPT) throw thrown;
  return print(io, overview());
}

/** `-p …` and options that need it: no interactive screen. */
const isOfPrompt = (word: string): boolean => /^(-[po]|--(prompt|output-format|approvals)(=|$))/.test(word);

function print(io: Io, text: string): ExitCode {
  io.stdout.write(text);
  return EXIT.ok;
}

/** Prints a failure, and returns its exit code. */
function reportFailure(thrown: unknown, io: Io): ExitCode {
  if (!(thrown instanceof CommandFailure)) throw thrown;
  const { failure } = thrown;
  say(io, `countersign: ${failureText(failure)}`);
  if (failure.code === 'usage') return EXIT.usage;
  return isAboutSetup(failure.code) ? EXIT.setup : EXIT.notAll;
}

const isAboutSetup = (code: FailureCode) => code.startsWith('journal_') || SETUP_FAILURES.includes(code);

const SETUP_FAILURES: readonly FailureCode[] = [
  'policy_invalid',
  'settings_invalid',
  'no_space_left',
  'file_write_failure',
  'tool_module_invalid',
  'model_not_configured',
  'sandbox_unavailable',
];

const signals = new EndSignals();

const io: Io = {
  // Each is opened at its first use: opening standard input alone takes milliseconds.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  onInterrupt: (listener) => signals.listen(listener),
  interrupt: () => signals.interrupt(),
  ignoreInterrupts: () => signals.ignoreInterrupts(),
};

// A closed output (EPIPE) or terminal (EIO) ends the program without a message, but with a failure code. A command
// with running work ends that work first.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    if (stream.listenerCount('error') === 1 && !signals.hangUp()) process.exit(EXIT.notAll);
  });
}

// Ending without an explicit exit code is not a success.
process.exitCode = EXIT.notAll;

run(process.argv.slice(2), io)
  .catch((thrown: unknown) => reportFailure(thrown, io))
  .then((code) => {
    process.exitCode = code;
  })
  .catch((thrown: unknown) => {
    io.stderr.write(
      `countersign: an internal error in Countersign\n${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
    );
    process.exitCode = EXIT.notAll;
  });
