import type { EndReason, StartSource } from '@countersign/agent';
import type { Journal } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import { AgentStream, SessionStore } from '@countersign/react';
import type * as tui from '@countersign/tui';
import type { Ending, TerminalPorts } from '@countersign/tui';
import { keptIn, openJournal } from '../compose/compose.js';
import { openWithoutAgent, type SessionAtWork } from '../compose/compose-agent.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { optionsFor } from '../compose/setup.js';
import { chooseSession } from '../headless/choose-session.js';
import type { EndListener } from '../io/end-signals.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { messageHandlers, messageOf, usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { isSameTerminal } from '../io/same-terminal.js';
import { VERSION } from '../io/version.js';
import { isKept } from '../options/options.js';
import { homeOf } from '../options/places.js';
import { editPending } from './edit-pending.js';
import { elsewhere } from './elsewhere.js';
import { openHistory } from './history-file.js';
import { type InteractiveOptions, readInteractiveOptions } from './interactive-options.js';
import { listFiles } from './list-files.js';
import { hidesVariables, loadScreen } from './load-screen.js';
import { ModelAgents } from './model-agents.js';
import { slashCommands } from './slash-commands.js';

/** `countersign` in a terminal: one session after the other, until the user exits. */
export async function interactive(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readInteractiveOptions(args, io);
  const stdin = terminalIn(io);
  // Loaded in parallel with opening the session, since it takes most of the start.
  const isHiding = hidesVariables(io.env);
  const drawing = options.isPlain ? null : loadScreen(io.env);
  // Programs that the session starts need the variables that loading hides.
  if (isHiding) await drawing;
  const journal = await openJournal(options.store, io.env);
  try {
    let next: InteractiveOptions = options;
    let isCleared = false;
    for (;;) {
      const end = await runSession(next, isCleared, journal, io, stdin, drawing);
      isCleared = end.ending.type === 'new session';
      if (end.ending.type === 'quit') return end.code;
      if (end.ending.type === 'new session' && drawing) io.stdout.write(EMPTY_SCREEN);
      const resume = end.ending.type === 'resume' ? end.ending.sessionId : undefined;
      next = { ...options, continueLast: false, sessionId: undefined, resume };
    }
  } finally {
    await journal.close();
    io.stdin.destroy();
  }
}

/** Clears the screen, not the scrollback. */
const EMPTY_SCREEN = '\u001b[2J\u001b[H';

type SessionEnd = { readonly ending: Ending; readonly code: ExitCode };

async function runSession(
  options: InteractiveOptions,
  /** Whether this session follows one that the user cleared. */
  isCleared: boolean,
  journal: Journal,
  io: Io,
  stdin: Terminal,
  drawing: Promise<typeof tui> | null,
): Promise<SessionEnd> {
  const greeting: string[] = [];
  let notify = (text: string): unknown => greeting.push(text);
  const chosen = await chooseSession(options, journal);
  const by = io.env['USER'] ?? 'terminal';
  const atWork = await openWithoutAgent({
    ...options,
    ...messageHandlers(io, (text) => notify(text)),
    ...chosen,
    frontEnd: 'terminal',
    journal,
    env: io.env,
    attended: 'somebody',
    modelFlag: options.model,
  });
  const { session, conversation } = atWork.live;
  const ending = new EndingBySignal({ journal, store: options.store }, io);
  const stop = new AbortController();
  let reason: EndReason = 'exit';
  try {
    const agents = new ModelAgents(atWork, by);
    const store = new SessionStore(session, { knownSeq: session.seq });
    const stream = new AgentStream(store, await agents.choose(options.model), by);
    notify = (text) => stream.say('notice', text);
    // Not awaited: the first prompt waits for it, the screen does not.
    const begun = atWork.begin(startSource(chosen.session, isCleared), (text) => notify(text));
    begun.catch((thrown: unknown) => stream.say('error', messageOf(thrown)));
    const following = store
      .follow(stop.signal)
      .catch((thrown: unknown) => stream.say('error', messageOf(thrown)));
    const history = await openHistory(keptIn(options.store, io.env));
    const files = () => listFiles(chosen.workspace);
    const slash = { io, store: options.store, workspace: chosen.workspace, atWork, agents, stream };
    const ports: TerminalPorts = {
      store,
      stream,
      by,
      place: fromHome(chosen.workspace, homeOf(io.env)),
      model: () => agents.model,
      get noModel() {
        return `${agents.noModelReason} Until then: !command, /tool NAME {…}, /help.`;
      },
      spending: () => agents.spending,
      history,
      listFiles: files,
      editCall: (pending, onTerminal) => editPending(pending, atWork, store, io, onTerminal),
      elsewhere: elsewhere(journal, { ...options, flags: { sandbox: options.flags.sandbox } }, by, io),
      commands: slashCommands(slash),
      prompts: {
        list: () => atWork.servers?.promptCommands() ?? [],
        say: async (name, rest) =>
          (await atWork.servers?.expandPrompt(name, rest, stop.signal)) ?? { type: 'unknown' },
      },
    };
    if (session.openTurns.length > 0 || conversation.contents().at(-1)?.role === 'user') void stream.takeUp();
    const head = [`Countersign ${VERSION} · ${session.sessionId} · /help`, ...greeting];
    const words = agents.model === null ? [...head, ports.noModel] : head;
    const ended = drawing
      ? await drawn(await drawing, ports, words, io, stdin, ending)
      : await (await import('./plain-session.js')).plainSession(ports, atWork, words, io, ending);
    // A signal is no decision about the calls: questions stay open, and only what runs is cancelled.
    if (ended === 'interrupted') await session.dispose();
    stream.cancel();
    stop.abort();
    await following;
    if (ended !== 'interrupted') reason = END_REASONS[ended.type];
    if (ended !== 'interrupted' && ended.type !== 'quit') return { ending: ended, code: EXIT.ok };
    const code = printHowToContinue(atWork, options, io);
    return { ending: { type: 'quit' }, code: ended === 'interrupted' ? EXIT.interrupted : code };
  } finally {
    stop.abort();
    const message = await atWork.leave(reason);
    if (message !== null) say(io, `countersign: ${message}`);
    await ending.print();
  }
}

const startSource = (session: 'new' | 'known', isCleared: boolean): StartSource =>
  session === 'known' ? 'resume' : isCleared ? 'clear' : 'startup';

/** What hooks for the end of a session get as its reason. */
const END_REASONS = { quit: 'exit', 'new session': 'clear', resume: 'other' } as const;

async function drawn(
  { startTerminal }: typeof tui,
  ports: TerminalPorts,
  greeting: readonly string[],
  io: Io,
  { stdin, stdout }: Terminal,
  ending: EndingBySignal,
): Promise<Ending | 'interrupted'> {
  const terminal = startTerminal({ stdin, stdout, env: io.env, ports, greeting });
  let leave: EndListener = () => {};
  const interrupted = new Promise<'interrupted'>((resolve) => {
    leave = (signal) => void ending.begin(signal).finally(() => resolve('interrupted'));
  });
  const stopListening = io.onInterrupt(leave);
  try {
    return await Promise.race([terminal.ended, interrupted]);
  } finally {
    terminal.close();
    stopListening();
  }
}

/** Prints the command that continues the session. */
function printHowToContinue(
  { live: { session, events } }: SessionAtWork,
  options: InteractiveOptions,
  io: Io,
): ExitCode {
  const { store } = options;
  const waiting = events.waiting.length;
  if (session.seq <= 2 || !isKept(store)) return EXIT.ok;
  const ofStore = store === undefined ? '' : ` --store ${shellWord(store)}`;
  const words =
    waiting === 0 ? '' : waiting === 1 ? ' One question is pending.' : ` ${waiting} questions are pending.`;
  say(
    io,
    `To continue:${words}\n  countersign --resume ${shellWord(session.sessionId)}${ofStore}${optionsFor(options)}`,
  );
  return waiting > 0 ? EXIT.waiting : EXIT.ok;
}

/** As people write it: `~/project`. */
const fromHome = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

type Terminal = { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };

function terminalIn({ stdin, stdout }: Io): Terminal {
  if (isRead(stdin) && isWrite(stdout) && isSameTerminal(stdin, stdout)) return { stdin, stdout };
  throw usage('There is no terminal', 'countersign -p "…", which needs no terminal');
}
const isRead = (stream: Io['stdin']): stream is NodeJS.ReadStream =>
  stream.isTTY === true && 'setRawMode' in stream;
const isWrite = (stream: Io['stdout']): stream is NodeJS.WriteStream =>
  stream.isTTY === true && 'getColorDepth' in stream;
