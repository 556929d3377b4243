import type { EndReason, StartSource } from '@countersign/agent';
import type { Journal } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import { AgentStream, SessionStore } from '@countersign/react';
import type * as tui from '@countersign/tui';
import type { Ending, NextSession, TerminalPorts } from '@countersign/tui';
import { keptIn, openJournal } from '../compose/compose.js';
import type { SessionAtWork } from '../compose/compose-agent.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { optionsFor } from '../compose/setup.js';
import type { EndListener } from '../io/end-signals.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { messageOf, usage } from '../io/failure-text.js';
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
import { NextOpener, type OpenedSession, openForTerminal } from './open-for-terminal.js';
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
    const open = (chosen: InteractiveOptions) => openForTerminal(chosen, journal, io);
    let opened = await open(options);
    let isCleared = false;
    for (;;) {
      const end = await runSession(opened, isCleared, options, open, journal, io, stdin, drawing);
      if (end.next === null) return end.code;
      isCleared = end.next.chosen.session === 'new';
      if (isCleared && drawing) io.stdout.write(EMPTY_SCREEN);
      opened = end.next;
    }
  } finally {
    await journal.close();
    io.stdin.destroy();
  }
}

/** Clears the screen, not the scrollback. */
const EMPTY_SCREEN = '\u001b[2J\u001b[H';

/** `next`: the session to show next; null if the user exits. */
type SessionEnd = { readonly next: OpenedSession | null; readonly code: ExitCode };

async function runSession(
  { chosen, atWork, agents, port, messages, by }: OpenedSession,
  /** Whether this session follows one that the user cleared. */
  isCleared: boolean,
  options: InteractiveOptions,
  open: (options: InteractiveOptions) => Promise<OpenedSession>,
  journal: Journal,
  io: Io,
  stdin: Terminal,
  drawing: Promise<typeof tui> | null,
): Promise<SessionEnd> {
  const { session, conversation } = atWork.live;
  const ending = new EndingBySignal({ journal, store: options.store }, io);
  const stop = new AbortController();
  const next = new NextOpener(session.sessionId, (wanted) => open(optionsOf(wanted, options)));
  let reason: EndReason = 'exit';
  try {
    atWork.servers?.start();
    const store = new SessionStore(session, { knownSeq: session.seq });
    const stream = new AgentStream(store, port, by);
    messages.print = (text) => stream.say('notice', text);
    // Not awaited: the first prompt waits for it, the screen does not.
    const begun = atWork.begin(startSource(chosen.session, isCleared), (text) => void messages.print(text));
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
      openNext: (wanted) => next.open(wanted),
      prompts: {
        list: () => atWork.servers?.promptCommands() ?? [],
        say: async (name, rest) =>
          (await atWork.servers?.expandPrompt(name, rest, stop.signal)) ?? { type: 'unknown' },
      },
    };
    if (session.openTurns.length > 0 || conversation.contents().at(-1)?.role === 'user') void stream.takeUp();
    const head = [`Countersign ${VERSION} · ${session.sessionId} · /help`, ...messages.early];
    const words = agents.model === null ? [...head, ports.noModel] : head;
    const ended = drawing
      ? await drawn(await drawing, ports, words, io, stdin, ending, atWork.live.prepareToLeave)
      : await (await import('./plain-session.js')).plainSession(ports, atWork, words, io, ending);
    // A signal is no decision about the calls: questions stay open, and only what runs is cancelled.
    if (ended === 'interrupted') await session.dispose();
    stream.cancel();
    stop.abort();
    await following;
    const opened = await next.opened();
    if (ended !== 'interrupted') reason = END_REASONS[ended.type];
    if (opened && ended !== 'interrupted' && ended.type !== 'quit') return { next: opened, code: EXIT.ok };
    // The user exited while it was being opened.
    await opened?.atWork.leave('exit');
    const code = printHowToContinue(atWork, options, io);
    return { next: null, code: ended === 'interrupted' ? EXIT.interrupted : code };
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

const optionsOf = (wanted: NextSession, options: InteractiveOptions): InteractiveOptions => ({
  ...options,
  continueLast: false,
  sessionId: undefined,
  resume: wanted.type === 'resume' ? wanted.sessionId : undefined,
});

async function drawn(
  { startTerminal }: typeof tui,
  ports: TerminalPorts,
  greeting: readonly string[],
  io: Io,
  { stdin, stdout }: Terminal,
  ending: EndingBySignal,
  prepareToLeave: () => void,
): Promise<Ending | 'interrupted'> {
  const terminal = startTerminal({ stdin, stdout, env: io.env, ports, greeting });
  let leave: EndListener = () => {};
  const interrupted = new Promise<'interrupted'>((resolve) => {
    leave = (signal) => {
      prepareToLeave();
      void ending.begin(signal).finally(() => resolve('interrupted'));
    };
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
