import { attachSession, type Journal, type SessionClient, type SessionShell } from '@countersign/engine';
import { emptySession, evolve } from '@countersign/kernel';
import type { AwaitingCall, Command, Failure, SettledCall, WantedCall } from '@countersign/protocol';
import { explain } from '@countersign/protocol';
import { openJournal, sessionParts } from '../compose.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { CommandFailure, failureText, usage } from '../failure-text.js';
import { follow } from '../follow.js';
import { type Io, printJson, say } from '../io.js';
import { jsonValues } from '../json-lines.js';
import { readChoice, readMode, readOptions } from '../options.js';
import { realWorkspace } from '../places.js';
import { newSessionId } from '../session-id.js';
import { TerminalApprover } from '../terminal/approver.js';
import { visible } from '../terminal/visible.js';
import { approvalLine, readAnswer } from './approval-lines.js';
import { readCalls } from './read-calls.js';
import { ResultPrinter } from './result-printer.js';

const APPROVAL_CHANNELS = ['stdio', 'terminal', 'wait', 'deny'] as const;

/** `countersign exec`: tool calls as JSON in, the whole pipeline, results as JSON lines out; no model anywhere. */
export async function exec(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = readExecOptions(args, io);
  const journal = await openJournal(options.store, io.env);
  const known = options.resume === undefined ? null : await journal.session(options.resume);
  if (options.resume !== undefined && !known) {
    await journal.close();
    throw new CommandFailure({ code: 'unknown_session', sessionId: options.resume });
  }
  try {
    const workspace = await realWorkspace(known?.workspace ?? options.workspace);
    const parts = await sessionParts(
      {
        workspace,
        policyFiles: options.policyFiles,
        toolModules: options.toolModules,
        env: io.env,
        onNotice: ({ file, line, text }) => say(io, `countersign: ${file}:${line}: ${text}`),
        onTrouble: (failure) => say(io, `countersign: ${failureText(failure)}`),
      },
      options.mode,
    );
    const sessionId = options.resume ?? options.sessionId ?? newSessionId(Date.now());
    const attached = await attachSession({ ...parts, journal, sessionId });
    if (!attached.ok) throw new CommandFailure(attached.failure);
    const open = attached.own?.openTurns ?? (await openTurnsOf(journal, sessionId));
    const firstTurn = open[0] ?? attached.own?.nextTurn ?? 1;
    const run = new ExecRun(attached.client, attached.own, firstTurn, options, io);
    try {
      return await run.toTheEnd(open);
    } finally {
      await attached.own?.dispose();
    }
  } finally {
    await journal.close();
  }
}

type ExecOptions = ReturnType<typeof readExecOptions>;

function readExecOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('exec', args, {
    json: { type: 'boolean' },
    events: { type: 'boolean' },
    mode: { type: 'string' },
    yolo: { type: 'boolean' },
    workspace: { type: 'string' },
    store: { type: 'string' },
    approvals: { type: 'string' },
    session: { type: 'string' },
    resume: { type: 'string' },
    start: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
  });
  const interactive = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const approvals =
    readChoice('--approvals', values.approvals, APPROVAL_CHANNELS) ?? (interactive ? 'terminal' : 'deny');
  if (values.yolo && values.mode) throw usage('--yolo and --mode say different things', 'one of them');
  if (values.resume && values.session) throw usage('--resume already names the session', '--resume ID alone');
  if (approvals === 'terminal' && !interactive)
    throw usage('There is no terminal to ask in', '--approvals stdio | wait | deny');
  const fromStdin = positionals.length === 0 && values.resume === undefined;
  if (fromStdin && io.stdin.isTTY) {
    throw usage(
      'No calls were given',
      `countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'`,
    );
  }
  return {
    calls: positionals,
    readsStdin: fromStdin || approvals === 'stdio',
    events: values.events ?? false,
    mode: values.yolo ? ('yolo' as const) : readMode(values.mode),
    workspace: values.workspace ?? io.cwd,
    store: values.store,
    approvals,
    sessionId: values.session,
    resume: values.resume,
    start: readChoice('--start', values.start, ['as_granted', 'together'] as const),
    policyFiles: values.policy ?? [],
    toolModules: values.tools ?? [],
  };
}

const STAY_ALIVE_MS = 60_000;

/** One run of the command over a session that is open. */
class ExecRun {
  readonly #client: SessionClient;
  readonly #own: SessionShell | null;
  readonly #options: ExecOptions;
  readonly #io: Io;
  readonly #results: ResultPrinter;
  readonly #waiting = new Map<string, AwaitingCall>();
  readonly #stop = new AbortController();
  readonly #approver: TerminalApprover | null;
  #allWell = true;
  #inputEnded = false;
  #sending = 0;
  #interrupts = 0;

  constructor(
    client: SessionClient,
    own: SessionShell | null,
    firstTurn: number,
    options: ExecOptions,
    io: Io,
  ) {
    this.#client = client;
    this.#own = own;
    this.#options = options;
    this.#io = io;
    this.#results = new ResultPrinter(firstTurn, (line) => printJson(io, line));
    this.#approver = options.approvals === 'terminal' ? new TerminalApprover(io, client) : null;
  }

  async toTheEnd(openTurns: readonly number[]): Promise<ExitCode> {
    for (const turn of openTurns) this.#results.expect(turn);
    const stopListening = this.#io.onInterrupt(() => this.#interrupted());
    // A question that waits for another process holds no handle; without one Node would leave.
    const stayAlive = setInterval(() => {}, STAY_ALIVE_MS);
    let trouble: unknown = null;
    const reading = this.#readInput().then(
      () => this.#inputIsOver(),
      (thrown: unknown) => {
        trouble = thrown;
        this.#stop.abort();
      },
    );
    try {
      await this.#follow();
      // Input that nobody reads any more must not keep the program alive.
      this.#io.stdin.destroy();
      if (this.#inputEnded) await reading;
    } finally {
      clearInterval(stayAlive);
      stopListening();
      this.#approver?.close();
    }
    if (trouble) throw trouble;
    if (this.#interrupts > 0) return EXIT.interrupted;
    if (this.#waiting.size > 0) return this.#leaveWaiting();
    return this.#allWell ? EXIT.ok : EXIT.notAll;
  }

  #follow(): Promise<void> {
    return follow(this.#client, this.#stop.signal, {
      ...(this.#options.events && {
        onEvent: (seq, event) => printJson(this.#io, { type: 'event', seq, event }),
        onLive: (live) => printJson(this.#io, { type: 'live', ...live }),
      }),
      onAsked: (call) => this.#ask(call),
      onNoLongerAsked: (callId) => {
        this.#waiting.delete(callId);
        this.#approver?.withdraw(callId);
      },
      onSettled: (call) => this.#settled(call),
      onTurnEnded: (turn) => {
        this.#results.turnEnded(turn);
        this.#endWhenDone();
      },
    });
  }

  #ask(call: AwaitingCall): void {
    const { callId } = call.request;
    this.#waiting.set(callId, call);
    switch (this.#options.approvals) {
      case 'stdio':
        printJson(this.#io, approvalLine(this.#client.sessionId, call));
        return;
      case 'terminal':
        this.#approver?.ask(call);
        return;
      case 'wait':
        say(this.#io, `Waiting for approval: ${visible(call.plan.title)}\n${this.#howToAnswer(callId)}`);
        return;
      case 'deny':
    }
  }

  #settled(call: SettledCall): void {
    if (call.status !== 'success') this.#allWell = false;
    this.#results.settled(call);
  }

  async #readInput(): Promise<void> {
    for (const text of this.#options.calls) await this.#take(parseCall(text));
    if (!this.#options.readsStdin) return;
    for await (const framed of jsonValues(this.#io.stdin)) {
      if (this.#stop.signal.aborted) return;
      if (framed.ok) await this.#take(framed.value);
      else this.#badInput({ code: 'invalid_request', problem: framed.problem });
    }
  }

  async #take(value: unknown): Promise<void> {
    const answer = this.#options.approvals === 'stdio' ? readAnswer(value, this.#client.sessionId) : null;
    if (answer) return answer.ok ? this.#answer(answer.command) : this.#badInput(answer.failure);
    const read = readCalls(value);
    if (!read.ok) return this.#badInput(read.failure);
    await this.#call(read.calls);
  }

  async #call(calls: readonly WantedCall[]): Promise<void> {
    const { start, approvals } = this.#options;
    const attended = approvals === 'deny' ? 'nobody' : 'somebody';
    this.#sending++;
    const ack = await this.#client.send({ type: 'call', calls, attended, ...(start && { start }) });
    this.#sending--;
    if (!ack.ok) return this.#badInput(ack.failure);
    if (ack.turn !== undefined) this.#results.expect(ack.turn);
    this.#endWhenDone();
  }

  async #answer(command: Extract<Command, { type: 'answer' }>): Promise<void> {
    const ack = await this.#client.send(command);
    const id = command.callId;
    if (ack.ok) printJson(this.#io, { type: 'ack', id, ok: true });
    else {
      const { message, hint } = explain(ack.failure);
      printJson(this.#io, { type: 'ack', id, ok: false, error: { type: ack.failure.code, message, hint } });
    }
  }

  #badInput(failure: Failure): void {
    this.#allWell = false;
    const { message, hint } = explain(failure);
    printJson(this.#io, {
      callId: null,
      name: null,
      status: 'error',
      durationMs: 0,
      error: { type: failure.code, message, hint },
    });
  }

  async #inputIsOver(): Promise<void> {
    this.#inputEnded = true;
    this.#endWhenDone();
    if (this.#options.approvals !== 'stdio' || !this.#own) return;
    // Who would have answered is gone. Let what can still run come to its end, then leave the rest for others.
    await this.#own.idle();
    if (this.#results.isDone()) return;
    if (this.#options.store === ':memory:')
      await this.#client.send({ type: 'cancel', target: { type: 'all' }, by: 'end of input' });
    else this.#stop.abort();
  }

  /** Stop following once nothing more can come. */
  #endWhenDone(): void {
    if (this.#inputEnded && this.#sending === 0 && this.#results.isDone()) this.#stop.abort();
  }

  #leaveWaiting(): ExitCode {
    const answers = [...this.#waiting.keys()].map((callId) => this.#howToAnswer(callId));
    const many = answers.length === 1 ? '1 call waits' : `${answers.length} calls wait`;
    say(
      this.#io,
      `${many} for approval and will be kept. To answer, from anywhere on this machine:\n${answers.join('\n')}`,
    );
    return EXIT.waiting;
  }

  #howToAnswer(callId: string): string {
    const store = this.#options.store === undefined ? '' : ` --store ${this.#options.store}`;
    return `  countersign approvals answer ${this.#client.sessionId}/${visible(callId)} proceed_once${store}`;
  }

  #interrupted(): void {
    this.#interrupts++;
    if (this.#interrupts > 1) process.exit(EXIT.interrupted);
    say(this.#io, 'Cancelling. Press Ctrl-C again to leave at once.');
    this.#inputEnded = true;
    void this.#client
      .send({ type: 'cancel', target: { type: 'all' }, by: 'terminal' })
      .then(() => this.#endWhenDone());
  }
}

/** The turns that a session of another process has open now. */
async function openTurnsOf(journal: Journal, sessionId: string): Promise<readonly number[]> {
  const session = emptySession(sessionId);
  for (const { event } of await journal.read(sessionId, 0)) evolve(session, event);
  return session.turns.map(({ turn }) => turn);
}

function parseCall(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usage(
      `This is not JSON: ${text}`,
      `countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'`,
    );
  }
}
