import { createInterface, type Interface } from 'node:readline/promises';
import type { SessionClient } from '@countersign/engine';
import type { AwaitingCall, Outcome } from '@countersign/protocol';
import { failureText } from '../failure-text.js';
import { type Io, say } from '../io.js';
import { linesLeftOut, questionText } from './question-text.js';
import { visibleLine } from './visible.js';
import { wrapped } from './wrapped.js';

type Choice = { readonly key: string; readonly label: string; readonly does: Outcome | 'show the whole' };

/** Asks a person in a plain terminal, one question at a time. */
export class TerminalApprover {
  readonly #io: Io;
  readonly #client: SessionClient;
  readonly #queue: AwaitingCall[] = [];
  readonly #lines: Interface;
  #held: (() => void)[] = [];
  #closed = false;
  #asking: { readonly callId: string; readonly abort: AbortController } | null = null;

  constructor(io: Io, client: SessionClient) {
    this.#io = io;
    this.#client = client;
    this.#lines = createInterface({ input: io.stdin, output: io.stderr, terminal: io.stderr.isTTY === true });
    // While it reads, the terminal hands Ctrl-C and Ctrl-D to the reader, which would only close itself.
    this.#lines.on('SIGINT', io.interrupt);
    this.#lines.on('close', () => {
      if (!this.#closed) io.interrupt();
      this.#closed = true;
    });
  }

  ask(call: AwaitingCall): void {
    this.#queue.push(call);
    void this.#next();
  }

  /** Somebody else answered, or the question is gone. */
  withdraw(callId: string): void {
    const index = this.#queue.findIndex(({ request }) => request.callId === callId);
    if (index >= 0) this.#queue.splice(index, 1);
    if (this.#asking?.callId === callId) this.#asking.abort.abort();
  }

  /** Print what is no question. While one is on the screen this is held back, so that question and keys stay together. */
  beside(print: () => void): void {
    if (this.#asking) this.#held.push(print);
    else print();
  }

  close(): void {
    this.#closed = true;
    this.#asking?.abort.abort();
    this.#lines.close();
    this.#printHeld();
  }

  async #next(): Promise<void> {
    if (this.#asking || this.#closed) return;
    const call = this.#queue.shift();
    if (!call) return;
    const abort = new AbortController();
    this.#asking = { callId: call.request.callId, abort };
    try {
      await this.#settle(call, abort.signal);
    } catch (thrown) {
      // The question was withdrawn, or the terminal closed, while we waited for a key.
      if (!(thrown instanceof Error && thrown.name === 'AbortError')) throw thrown;
    } finally {
      this.#asking = null;
      this.#printHeld();
      void this.#next();
    }
  }

  #printHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const print of held) print();
  }

  async #settle(call: AwaitingCall, signal: AbortSignal): Promise<void> {
    const choices = choicesFor(call);
    this.#show(call, choices, 'beginning');
    for (;;) {
      const typed = (await this.#lines.question('> ', { signal })).trim();
      const [key = ''] = typed.split(/\s/, 1);
      const words = typed.slice(key.length).trim();
      const choice = choices.find((offered) => offered.key === key.toLowerCase());
      if (!choice) say(this.#io, `Type one of: ${choices.map((offered) => offered.key).join(', ')}`);
      else if (choice.does === 'show the whole') this.#show(call, choices, 'whole');
      else if (words !== '' && choice.does !== 'cancel')
        say(this.#io, `Nothing was decided: "${key}" stands alone. Words go with a no: n why not`);
      else return this.#answer(call, choice.does, words);
    }
  }

  #show(call: AwaitingCall, choices: readonly Choice[], extent: 'beginning' | 'whole'): void {
    const { columns, isTTY } = this.#io.stderr;
    const colour = isTTY === true && !this.#io.env['NO_COLOR'];
    this.#io.stderr.write(
      `${questionText({ title: call.plan.title, ...call }, { colour, extent, columns })}\n`,
    );
    const waiting = this.#queue.length;
    if (waiting > 0) say(this.#io, `(${waiting} more after this one)`);
    for (const { key, label } of choices) say(this.#io, wrapped(`  [${key}] ${label}`, columns, '      '));
  }

  async #answer(call: AwaitingCall, outcome: Outcome, feedback: string): Promise<void> {
    const ack = await this.#client.send({
      type: 'answer',
      callId: call.request.callId,
      digest: call.question.digest,
      outcome,
      by: this.#io.env['USER'] ?? 'terminal',
      ...(feedback !== '' && { payload: { feedback } }),
    });
    if (!ack.ok) say(this.#io, failureText(ack.failure));
  }
}

function choicesFor(call: AwaitingCall): readonly Choice[] {
  const choices: Choice[] = [];
  const left = linesLeftOut(call.question);
  if (left > 0) choices.push({ key: 'w', label: 'Show the whole of it', does: 'show the whole' });
  for (const { outcome: does, grant } of call.question.offers) {
    const always = grant ? `Yes, and always: ${visibleLine(grant.text)}` : '';
    if (does === 'proceed_once') choices.push({ key: 'y', label: 'Yes, allow once', does });
    if (does === 'proceed_always') choices.push({ key: 'a', label: always, does });
    if (does === 'proceed_always_tool') choices.push({ key: 't', label: always, does });
    if (does === 'proceed_always_server') choices.push({ key: 'v', label: always, does });
    if (does === 'proceed_always_and_save') choices.push({ key: 's', label: always, does });
    if (does === 'cancel') choices.push({ key: 'n', label: 'No (n, or: n why not)', does });
  }
  return choices;
}
