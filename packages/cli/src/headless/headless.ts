import { CHANNELS } from '@countersign/channels';
import type { Journal } from '@countersign/engine';
import { explain } from '@countersign/protocol';
import { openJournal } from '../compose/compose.js';
import { type AgentAtWork, openAgent } from '../compose/compose-agent.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, messageHandlers, usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { type ChosenSession, chooseSession } from './choose-session.js';
import { type HeadlessOptions, readHeadlessOptions } from './headless-options.js';
import { HeadlessRun } from './headless-run.js';
import { jsonOutput } from './json-output.js';
import { readPrompt } from './read-prompt.js';
import { streamOutput } from './stream-output.js';
import { Tally } from './tally.js';
import { textOutput } from './text-output.js';

/** `countersign -p "…"`: runs one prompt without an interactive screen. */
export async function headless(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readHeadlessOptions(args, io);
  const tally = new Tally();
  const output = OUTPUTS[options.format](io, tally);
  let run: HeadlessRun | null = null;
  const warn = (text: string) => (run ? run.printAside(() => output.warn(text)) : output.warn(text));
  const reading = readPrompt(options, io, (text) => warn(`countersign: ${text}`));
  // A typed prompt is enough to start; the pipe is read in parallel, and its failure is reported when it is awaited.
  if (options.prompt.trim() === '') expectWork((await reading).text, options);
  else reading.catch(() => {});
  const journal = await openJournal(options.store, io.env);
  try {
    const chosen = await chooseSession(options, journal);
    const atWork = await agentFor(options, chosen, journal, io, warn);
    if (atWork === null) return EXIT.setup;
    const ending = new EndingBySignal({ journal, store: options.store }, io);
    run = new HeadlessRun(atWork, options, { io, output, tally, ending });
    try {
      return await run.work(reading, chosen.session === 'new' ? 'startup' : 'resume');
    } finally {
      const message = await atWork.leave();
      if (message !== null) say(io, `countersign: ${message}`);
      await ending.print();
    }
  } finally {
    // Unread input must not keep the program alive.
    io.stdin.destroy();
    await journal.close();
  }
}

const OUTPUTS = { text: textOutput, json: jsonOutput, 'stream-json': streamOutput };

function expectWork(text: string, { resume, continueLast }: HeadlessOptions): void {
  if (text === '' && resume === undefined && !continueLast)
    throw usage('No prompt was given', 'countersign -p "what to do"');
}

/** Null if no model is configured, which is reported in one line. */
async function agentFor(
  options: HeadlessOptions,
  chosen: ChosenSession,
  journal: Journal,
  io: Io,
  warn: (text: string) => void,
): Promise<AgentAtWork | null> {
  try {
    return await openAgent({
      ...options,
      ...messageHandlers(io, warn),
      ...chosen,
      frontEnd: 'headless',
      journal,
      env: io.env,
      attended: CHANNELS[options.approvals].attended,
      modelFlag: options.model,
    });
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure) || thrown.failure.code !== 'model_not_configured') throw thrown;
    const { message, hint } = explain(thrown.failure);
    say(io, `countersign: ${message} ${hint}`);
    return null;
  }
}
