import { type AgentEvent, notingWork, spentSince } from '@countersign/agent';
import type { Channel } from '@countersign/channels';
import { type AwaitingCall, type FailureCode, isSettled } from '@countersign/protocol';
import type { AgentAtWork } from '../compose/compose-agent.js';
import type { EndingBySignal } from '../compose/ending-by-signal.js';
import { answerCommand } from '../compose/next-commands.js';
import type { EndSignal } from '../io/end-signals.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { isKept } from '../options/options.js';
import { openChannel } from '../terminal/approval-channel.js';
import { answersFrom } from './answers.js';
import type { HeadlessOptions } from './headless-options.js';
import type { Output, RunEnding } from './output.js';
import type { Prompt } from './read-prompt.js';
import type { Tally } from './tally.js';

const STAY_ALIVE_MS = 60_000;
const CTRL_C = 'Cancelling. Press Ctrl-C again to exit immediately.';

type RunOutput = {
  readonly io: Io;
  readonly output: Output;
  readonly tally: Tally;
  readonly ending: EndingBySignal;
};

/** One prompt on an open session, with its approval channel. */
export class HeadlessRun {
  readonly #atWork: AgentAtWork;
  readonly #options: HeadlessOptions;
  readonly #io: Io;
  readonly #output: Output;
  readonly #tally: Tally;
  readonly #ending: EndingBySignal;
  readonly #stop = new AbortController();
  readonly #channel: Channel;
  #disconnect = () => {};
  #interrupts = 0;
  /** No more answers can arrive on stdin. */
  #inputEnded = false;
  /** Open questions are kept for other clients, and the run ends. */
  #isLeaving = false;
  /** The reader of our output closed it. */
  #isOutputClosed = false;

  constructor(atWork: AgentAtWork, options: HeadlessOptions, { io, output, tally, ending }: RunOutput) {
    this.#atWork = atWork;
    this.#options = options;
    this.#io = io;
    this.#output = output;
    this.#tally = tally;
    this.#ending = ending;
    const { live, tools, settings } = atWork;
    const editor = settings.get('editor').value ?? undefined;
    this.#channel = openChannel(options.approvals, live.session, { tools, editor }, options, io);
  }

  async work(reading: Promise<Prompt>, source: 'startup' | 'resume'): Promise<ExitCode> {
    const { live } = this.#atWork;
    const stopListening = live.events.subscribe({
      onFact: ({ call }) => {
        if (call && isSettled(call)) this.#tally.settled(call);
      },
      onQuestion: (change) => {
        if (change.type !== 'gone' && this.#inputEnded) void this.#leaveIfStuck();
      },
    });
    const offInterrupt = this.#io.onInterrupt((signal) => this.#interrupted(signal));
    this.#io.stdout.on('error', this.#outputClosed);
    // Node exits without an open handle, and a question that waits for another process has none.
    const stayAlive = setInterval(() => {}, STAY_ALIVE_MS);
    try {
      return await this.#toTheEnd(await reading, source);
    } finally {
      stopListening();
      this.#disconnect();
      offInterrupt();
      this.#io.stdout.off('error', this.#outputClosed);
      clearInterval(stayAlive);
      this.#channel.close();
    }
  }

  /** Prints a message, but not between an open question and its answer. */
  printAside(print: () => void): void {
    this.#channel.printAside(print);
  }

  async #toTheEnd(prompt: Prompt, source: 'startup' | 'resume'): Promise<ExitCode> {
    const { agent, live, model } = this.#atWork;
    if (this.#options.approvals === 'deny' && this.#waiting().length > 0) {
      this.#sayHowToAnswer('This session has calls that wait for approval. Answer them first:');
      return EXIT.waiting;
    }
    if (prompt.text === '' && !this.#isUnfinished()) {
      throw usage('This session has no open calls', 'countersign -p "…" with the next prompt');
    }
    const before = agent.spent;
    this.#output.begin(live.session.sessionId, model, prompt.text);
    // Connected only now, so that each open question is offered once.
    this.#disconnect = live.events.connect(this.#channel);
    if (this.#options.approvals === 'stdio') void this.#takeAnswers();
    const notify = (value: string) => this.#onEvent({ type: 'notice', value });
    await this.#atWork.begin(source, notify, this.#stop.signal);
    const ending = await this.#follow(prompt);
    if (this.#isOutputClosed) return EXIT.notAll;
    this.#output.end(ending, { model, spent: spentSince(before, agent.spent), session: agent.spent });
    if (ending.type === 'waiting') this.#sayHowToAnswer('To answer, from anywhere on this machine:');
    return exitCodeOf(ending);
  }

  async #follow({ text, typed }: Prompt): Promise<RunEnding> {
    const { agent, live } = this.#atWork;
    const promptId = `${live.session.sessionId}#${live.conversation.messages.length + 1}`;
    const options = { signal: this.#stop.signal, by: 'person', promptId, typed };
    const work = text === '' ? agent.goOn(options) : agent.prompt([{ text }], options);
    const events = notingWork(live.session, work);
    for (;;) {
      const next = await events.next();
      if (!next.done) this.#onEvent(next.value);
      else if (this.#ending.signal !== null && next.value.type !== 'answered')
        return { type: 'cancelled', signal: this.#ending.signal };
      else return this.#isLeaving ? { type: 'waiting', calls: this.#waiting().length } : next.value;
    }
  }

  #onEvent(event: AgentEvent): void {
    this.#tally.onEvent(event);
    if (!this.#isOutputClosed) this.printAside(() => this.#output.onEvent(event));
  }

  async #takeAnswers(): Promise<void> {
    await answersFrom(this.#io, this.#atWork.live.session);
    this.#inputEnded = true;
    await this.#leaveIfStuck();
  }

  /** No more answers can arrive: when no call runs any more, open questions are kept for other clients. */
  async #leaveIfStuck(): Promise<void> {
    const { session } = this.#atWork.live;
    await session.idle();
    if (this.#waiting().length === 0 || this.#stop.signal.aborted) return;
    if (!isKept(this.#options.store)) return this.#stop.abort();
    this.#isLeaving = true;
    await session.dispose();
  }

  #waiting(): readonly AwaitingCall[] {
    return this.#atWork.live.events.waiting;
  }

  /** Whether there is a message or result that the model has not received yet. */
  #isUnfinished(): boolean {
    const { session, conversation } = this.#atWork.live;
    return session.openTurns.length > 0 || conversation.contents().at(-1)?.role === 'user';
  }

  #sayHowToAnswer(heading: string): void {
    const { sessionId } = this.#atWork.live.session;
    const answers = this.#waiting().map((call) => answerCommand(sessionId, call, this.#options));
    say(this.#io, [heading, ...answers].join('\n'));
  }

  readonly #outputClosed = (): void => {
    this.#isOutputClosed = true;
    this.#stop.abort();
  };

  #interrupted(signal: EndSignal): void {
    this.#interrupts++;
    if (this.#interrupts > 1) {
      if (signal === 'SIGINT') process.exit(EXIT.interrupted);
      return;
    }
    say(this.#io, signal === 'SIGINT' ? CTRL_C : `Ending: ${signal} was received.`);
    // The model is not asked again, whatever its calls return until they are cancelled.
    this.#atWork.live.prepareToLeave();
    void this.#end(signal);
  }

  /** Ctrl-C cancels the prompt. Another signal is no decision about its calls: what does not run is kept. */
  async #end(signal: EndSignal): Promise<void> {
    await this.#ending.begin(signal);
    if (signal !== 'SIGINT' && isKept(this.#options.store)) {
      this.#isLeaving = true;
      await this.#atWork.live.session.dispose();
    }
    this.#stop.abort();
  }
}

function exitCodeOf(ending: RunEnding): ExitCode {
  switch (ending.type) {
    case 'answered':
      return EXIT.ok;
    case 'cancelled':
      return EXIT.interrupted;
    case 'waiting':
      return EXIT.waiting;
    case 'failed': {
      const { code } = ending.failure;
      if (code === 'model_not_configured') return EXIT.setup;
      return LIMITS.includes(code) ? EXIT.limit : EXIT.notAll;
    }
  }
}
const LIMITS: readonly FailureCode[] = ['turn_limit', 'budget_spent', 'budget_unknown', 'loop_detected'];
