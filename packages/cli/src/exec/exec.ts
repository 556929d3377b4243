import { attachSession, openWork, readSession } from '@countersign/attach';
import { CHANNELS, type Channel, readAnswer } from '@countersign/channels';
import { followSession, leftText, type SessionClient, updateChannel } from '@countersign/client';
import type { Journal, SessionShell, Toolbox } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import {
  type AwaitingCall,
  type CancelTarget,
  type Command,
  explain,
  type Fact,
  type Failure,
  isSettled,
  type WantedCall,
} from '@countersign/protocol';
import type { EditorName } from '@countersign/tools';
import { type Composed, openJournal, sessionParts } from '../compose/compose.js';
import { EndingBySignal } from '../compose/ending-by-signal.js';
import { answerCommand, resumeCommand } from '../compose/next-commands.js';
import { ackLine } from '../io/ack-line.js';
import type { EndSignal } from '../io/end-signals.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, messageHandlers, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { jsonValues } from '../io/json-lines.js';
import { isKept } from '../options/options.js';
import { chosenWorkspace, realWorkspace } from '../options/places.js';
import { newSessionId } from '../options/session-id.js';
import { expectOwnStore } from '../options/settle-environment.js';
import { openChannel } from '../terminal/approval-channel.js';
import { type ExecOptions, readExecOptions } from './exec-options.js';
import { readCalls } from './read-calls.js';
import type { ResultLine } from './result-line.js';
import { ResultPrinter } from './result-printer.js';
import { beginForHooks, type HooksHere } from './session-hooks.js';

/** `countersign exec`: runs tool calls given as JSON, without a model, and prints results as JSON lines. */
export async function exec(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readExecOptions(args, io);
  // Checked first, so that a refused store leaves no directory behind.
  if (options.resume === undefined && options.sessionId === undefined)
    expectOwnStore(await chosenWorkspace(options.workspace), options.store, io.env);
  const journal = await openJournal(options.store, io.env);
  let run: ExecRun | null = null;
  let servers: Composed['servers'] = null;
  try {
    const sessionId = options.resume ?? options.sessionId ?? newSessionId(Date.now());
    const known = await journal.session(sessionId);
    if (options.resume !== undefined && !known)
      throw new CommandFailure({ code: 'unknown_session', sessionId });
    if (options.resume === undefined && known && known.seq > 0)
      throw usage(`The session ${sessionId} already exists`, `--resume ${sessionId}`);
    // A session whose process died before its first event has no workspace yet.
    const workspace = await (known?.workspace
      ? realWorkspace(known.workspace)
      : chosenWorkspace(options.workspace));
    const session = known && known.seq > 0 ? 'known' : 'new';
    const notify = (text: string): unknown => (run ? run.notify(text) : say(io, text));
    const composed = await sessionParts({
      frontEnd: 'exec',
      store: options.store,
      workspace,
      policyFiles: options.policyFiles,
      toolModules: options.toolModules,
      session,
      flags: options.flags,
      env: io.env,
      ...messageHandlers(io, notify),
    });
    const { parts, settings } = composed;
    // Started only for calls of their tools.
    servers = composed.servers;
    await servers?.readyForOpenCalls(journal, sessionId);
    // Before it is opened: what its last process left half done may end by the opening alone.
    const openTurns = session === 'known' ? await openTurnsOf(journal, sessionId) : [];
    const attached = await attachSession({ ...parts, journal, sessionId });
    if (!attached.ok) throw new CommandFailure(attached.failure);
    const { client, own } = attached;
    if (!own) say(io, `Another process has ${sessionId} open: its mode, rules and tools apply.`);
    const editor = settings.get('editor').value ?? undefined;
    const readyFor = (names: ToolNames) => (own ? composed.servers?.readyFor(names) : undefined);
    let hooks: HooksHere | null = null;
    const ending = new EndingBySignal({ journal, store: options.store }, io);
    try {
      // The owner of a session runs its hooks.
      if (own) {
        const place = { env: io.env, workspace, sessionId };
        const source = session === 'known' ? 'resume' : 'startup';
        hooks = await beginForHooks(composed, place, source, (text) => void notify(`countersign: ${text}`));
      }
      run = new ExecRun({
        client,
        own,
        journal,
        tools: parts.tools,
        readyFor,
        hooks,
        editor,
        options,
        ending,
        io,
      });
      return await run.run(openTurns);
    } finally {
      await own?.dispose();
      await hooks?.end();
      await ending.print();
      if (own && session === 'new') await removeUnused(journal, sessionId);
    }
  } finally {
    await servers?.close();
    await journal.close();
  }
}

const STAY_ALIVE_MS = 60_000;
const CTRL_C = 'Cancelling. Press Ctrl-C again to exit immediately.';

/** How often a client checks that the owner of its session still runs. */
const LOOK_FOR_OWNER_MS = 500;

type ToolNames = readonly (string | undefined)[];

type ExecParts = {
  readonly client: SessionClient;
  /** Null if another process owns the session. */
  readonly own: SessionShell | null;
  readonly journal: Journal;
  readonly tools: Toolbox;
  /** Waits for the MCP servers of these tools, if they are still starting. */
  readonly readyFor: (names: ToolNames) => Promise<void> | undefined;
  readonly hooks: HooksHere | null;
  readonly editor: EditorName | undefined;
  readonly options: ExecOptions;
  readonly ending: EndingBySignal;
  readonly io: Io;
};

/** One run of the command on an open session. */
class ExecRun {
  readonly #client: SessionClient;
  readonly #own: SessionShell | null;
  readonly #journal: Journal;
  readonly #readyFor: ExecParts['readyFor'];
  readonly #hooks: HooksHere | null;
  readonly #options: ExecOptions;
  readonly #ending: EndingBySignal;
  readonly #io: Io;
  readonly #results: ResultPrinter;
  readonly #waiting = new Map<string, AwaitingCall>();
  /** Calls that this process sent and that have not ended. */
  readonly #ours = new Set<string>();
  readonly #stop = new AbortController();
  readonly #channel: Channel;
  #takenUp: readonly number[] = [];
  #trouble: Error | null = null;
  #allWell = true;
  #inputEnded = false;
  /** This program closed its input, read or not. */
  #isInputClosed = false;
  #sending = 0;
  #interrupts = 0;
  /** The reader of our output closed it. */
  #isOutputClosed = false;

  constructor({ client, own, journal, tools, readyFor, hooks, editor, options, ending, io }: ExecParts) {
    this.#client = client;
    this.#own = own;
    this.#journal = journal;
    this.#readyFor = readyFor;
    this.#hooks = hooks;
    this.#options = options;
    this.#ending = ending;
    this.#io = io;
    this.#results = new ResultPrinter((line) => this.#print(line));
    this.#channel = openChannel(options.approvals, client, { tools, editor }, options, io);
  }

  async run(openTurns: readonly number[]): Promise<ExitCode> {
    this.#takenUp = openTurns;
    for (const turn of openTurns) this.#results.expect(turn);
    this.#io.stdout.on('error', this.#outputClosed);
    const stopListening = this.#io.onInterrupt((signal) => this.#interrupted(signal));
    // Node exits without an open handle, and a question that waits for another process has none.
    const stayAlive = this.#own
      ? setInterval(() => {}, STAY_ALIVE_MS)
      : setInterval(
          () => void this.#lookForOwner().catch((thrown: unknown) => this.#fail(thrown)),
          LOOK_FOR_OWNER_MS,
        );
    const reading = this.#readInput().then(
      () => this.#inputIsOver(),
      (thrown: unknown) => {
        // Closing the input at the end makes its reader fail.
        if (!this.#isInputClosed) this.#fail(thrown);
      },
    );
    try {
      await this.#follow();
      const ended = this.#own?.ended;
      if (ended && !this.#stop.signal.aborted && this.#interrupts === 0 && !this.#isOutputClosed)
        throw new CommandFailure(ended);
      // Calls of other clients continue to their end.
      if (this.#interrupts === 0 && !this.#isOutputClosed) await this.#own?.idle();
    } finally {
      // Unread input must not keep the program alive.
      this.#isInputClosed = true;
      this.#io.stdin.destroy();
      clearInterval(stayAlive);
      stopListening();
      this.#io.stdout.off('error', this.#outputClosed);
      this.#channel.close();
    }
    // Results wait for those of earlier calls; when this ends first, they are printed without them.
    if (!this.#isOutputClosed) this.#results.printHeldBack();
    if (this.#inputEnded) await reading;
    if (this.#trouble) throw this.#trouble;
    if (this.#isOutputClosed) {
      await this.#sayWhatIsLeft();
      return EXIT.notAll;
    }
    if (this.#interrupts > 0) return EXIT.interrupted;
    if (this.#waiting.size > 0 && !this.#results.isDone()) return this.#leaveWaiting();
    return this.#allWell ? EXIT.ok : EXIT.notAll;
  }

  /** Prints a message for the user, but not over an open question. */
  notify(text: string): void {
    this.#channel.printAside(() => say(this.#io, text));
  }

  #fail(thrown: unknown): void {
    this.#trouble ??= thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#stop.abort();
  }

  async #lookForOwner(): Promise<void> {
    const { sessionId } = this.#client;
    const info = await this.#journal.session(sessionId);
    if (info?.owner || this.#stop.signal.aborted) return;
    const { store } = this.#options;
    const command = await resumeCommand({ journal: this.#journal, sessionId, store }, this.#io);
    this.#fail(new CommandFailure({ code: 'session_idle', sessionId, command }));
  }

  #follow(): Promise<void> {
    const { events } = this.#options;
    return followSession(this.#client, this.#stop.signal, {
      onFact: (fact) => this.#onFact(fact),
      ...(events && { onLive: (live) => this.#write({ type: 'live', ...live }) }),
      onQuestion: (change) => {
        if (change.type === 'gone') this.#waiting.delete(change.callId);
        else {
          this.#waiting.set(change.call.request.callId, change.call);
          this.#hooks?.asked(change.call);
        }
        updateChannel(this.#channel, change);
      },
    });
  }

  #onFact({ seq, event, call }: Fact): void {
    if (this.#options.events) this.#write({ type: 'event', seq, event });
    if (call && isSettled(call)) {
      this.#ours.delete(call.request.callId);
      this.#results.settled(call);
    } else if (event.type === 'turn.ended') {
      this.#results.turnEnded(event.turn);
      if (this.#sending === 0) this.#results.forgetOthers();
    } else return;
    this.#endWhenDone();
  }

  #print(line: ResultLine): void {
    if (line.status !== 'success') this.#allWell = false;
    this.#write(line);
  }

  #write(value: unknown): void {
    if (this.#io.stdout.isTTY) this.#channel.printAside(() => printJson(this.#io, value));
    else printJson(this.#io, value);
  }

  async #readInput(): Promise<void> {
    for (const call of this.#options.calls) await this.#take(call);
    if (!this.#options.readsStdin) return;
    for await (const framed of jsonValues(this.#io.stdin)) {
      if (this.#stop.signal.aborted || this.#interrupts > 0 || this.#isOutputClosed) return;
      if (framed.ok) await this.#take(framed.value);
      else
        this.#badInput({ code: 'invalid_request', problem: `input line ${framed.line}: ${framed.problem}` });
    }
  }

  async #take(value: unknown): Promise<void> {
    const answer = this.#options.approvals === 'stdio' ? readAnswer(value, this.#client.sessionId) : null;
    if (answer) return answer.ok ? this.#answer(answer.command) : this.#badInput(answer.failure);
    const read = readCalls(value);
    if (!read.ok) return this.#badInput(read.failure, read.callId);
    await this.#call(read.calls);
  }

  async #call(calls: readonly WantedCall[]): Promise<void> {
    const { start, approvals } = this.#options;
    const { attended } = CHANNELS[approvals];
    this.#sending++;
    await this.#readyFor(calls.map(({ name }) => name));
    // If the user interrupted while this waited for a server, no call is sent.
    const wanted = { type: 'call', calls, attended, ...(start && { start }) } as const;
    const ack = this.#interrupts > 0 ? null : await this.#client.send(wanted);
    this.#sending--;
    if (ack === null) return this.#endWhenDone();
    if (!ack.ok) return this.#badInput(ack.failure);
    const { turn, callIds = [] } = ack;
    if (turn !== undefined) {
      for (const [index, id] of callIds.entries())
        if (!this.#results.isSettled(turn, index)) this.#ours.add(id);
      this.#results.expect(turn);
    }
    this.#results.forgetOthers();
    // If the user interrupted before the owner accepted the calls, their ids are known only now.
    if (this.#interrupts > 0 && !this.#own) this.#cancel(this.#eachOfOurs());
    this.#endWhenDone();
  }

  async #answer(command: Extract<Command, { type: 'answer' }>): Promise<void> {
    printJson(this.#io, ackLine(command.callId, await this.#client.send(command)));
  }

  #badInput(failure: Failure, callId: string | null = null): void {
    const { message, hint } = explain(failure);
    const line: ResultLine = {
      callId,
      name: null,
      status: 'error',
      durationMs: 0,
      error: { type: failure.code, message, hint },
    };
    // Over stdio the client may be waiting for its answer to be accepted, so a refusal is printed at once.
    if (this.#options.approvals === 'stdio') this.#print(line);
    else this.#results.add(line);
  }

  async #inputIsOver(): Promise<void> {
    this.#inputEnded = true;
    this.#endWhenDone();
    const { approvals } = this.#options;
    if ((approvals !== 'stdio' && approvals !== 'deny') || !this.#own) return;
    // No answer can arrive here: let running calls end, then keep open questions for other clients.
    await this.#own.idle();
    if (this.#results.isDone()) return;
    if (!isKept(this.#options.store))
      await this.#client.send({ type: 'cancel', target: { type: 'all' }, by: 'end of input' });
    else this.#stop.abort();
  }

  /** Stops following when no more results can arrive. */
  #endWhenDone(): void {
    if (!this.#inputEnded || this.#sending > 0) return;
    // A client that detaches waits only for its own calls.
    const isLeaving = this.#interrupts > 0 && this.#own === null;
    if (isLeaving ? this.#ours.size === 0 : this.#results.isDone()) this.#stop.abort();
  }

  /** Nobody reads the results any more: the person at standard error learns what became of the calls. */
  async #sayWhatIsLeft(): Promise<void> {
    // Another process carries them out, or a signal ended the program, whose last line says it.
    if (!this.#own || this.#interrupts > 0) return;
    const { sessionId } = this.#client;
    const { store } = this.#options;
    const closed = 'The reader of standard output closed it, so not all results were printed.';
    if (!isKept(store)) return void say(this.#io, `${closed} The session is not kept.`);
    const work = { ...(await openWork(this.#journal, sessionId)), unanswered: false };
    if (work.running + work.queued + work.questions === 0)
      return void say(
        this.#io,
        `${closed} Nothing is left open. To read them: countersign sessions show ${shellWord(sessionId)}`,
      );
    const command = await resumeCommand({ journal: this.#journal, sessionId, store }, this.#io);
    say(this.#io, `${closed} Left open in ${sessionId}: ${leftText(work)}. To resume: ${command}`);
  }

  #leaveWaiting(): ExitCode {
    const { sessionId } = this.#client;
    const answers = [...this.#waiting.values()].map((call) => answerCommand(sessionId, call, this.#options));
    const many = answers.length === 1 ? '1 call waits' : `${answers.length} calls wait`;
    say(
      this.#io,
      `${many} for approval. The session is saved. To answer, from anywhere on this machine:\n${answers.join('\n')}`,
    );
    return EXIT.waiting;
  }

  #interrupted(signal: EndSignal): void {
    this.#interrupts++;
    if (this.#interrupts > 1) {
      if (signal === 'SIGINT') process.exit(EXIT.interrupted);
      return;
    }
    say(this.#io, signal === 'SIGINT' ? CTRL_C : `Ending: ${signal} was received.`);
    this.#inputEnded = true;
    if (this.#own) this.#end(this.#own, signal).catch((thrown: unknown) => this.#fail(thrown));
    else {
      for (const turn of this.#takenUp) this.#results.forget(turn);
      this.#cancel(this.#eachOfOurs());
    }
  }

  /** No result can be printed: what runs is cancelled, and the rest is kept for another process. */
  readonly #outputClosed = (): void => {
    if (this.#isOutputClosed) return;
    this.#isOutputClosed = true;
    this.#inputEnded = true;
    const left = this.#own?.dispose() ?? Promise.resolve();
    left.then(
      () => this.#stop.abort(),
      (thrown: unknown) => this.#fail(thrown),
    );
  };

  /** Ctrl-C cancels every call. Another signal is no decision about the calls: what does not run is kept. */
  async #end(own: SessionShell, signal: EndSignal): Promise<void> {
    await this.#ending.begin(signal);
    if (signal === 'SIGINT' || !isKept(this.#options.store)) return this.#cancel([{ type: 'all' }]);
    await own.dispose();
    this.#stop.abort();
  }

  #eachOfOurs(): readonly CancelTarget[] {
    return Array.from(this.#ours, (callId) => ({ type: 'call', callId }));
  }

  #cancel(targets: readonly CancelTarget[]): void {
    const cancels = targets.map((target) => this.#client.send({ type: 'cancel', target, by: 'terminal' }));
    Promise.all(cancels).then(
      () => this.#endWhenDone(),
      (thrown: unknown) => this.#fail(thrown),
    );
  }
}

/** A run without a single call leaves no session behind: there is nothing to continue or to look up. */
async function removeUnused(journal: Journal, sessionId: string): Promise<void> {
  const { lastTurn, lastMessage } = await readSession(journal, sessionId);
  // Refused if another process has opened it meanwhile, which then decides about it.
  if (lastTurn === 0 && lastMessage === 0) await journal.delete(sessionId);
}

/** The turns that are open in a session as it is recorded. */
const openTurnsOf = async (journal: Journal, sessionId: string): Promise<readonly number[]> =>
  (await readSession(journal, sessionId)).turns.map(({ turn }) => turn);
