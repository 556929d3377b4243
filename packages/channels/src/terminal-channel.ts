import { createInterface, type Interface } from 'node:readline/promises';
import type { SessionClient } from '@countersign/client';
import { type Choice, visible, visibleLine } from '@countersign/display';
import { type Ack, type AwaitingCall, explain, type Failure } from '@countersign/protocol';
import type { Channel, ChannelKind } from './channel.js';
import { alwaysHelp, type KeyedChoice, keyedChoices, readAlways, SHOW_THE_WHOLE } from './keyed-choices.js';
import { questionText } from './question-text.js';
import type { TerminalParts } from './terminal-parts.js';
import { wrapped } from './wrapped.js';
import { WriteFailed, writeFully } from './write-fully.js';

type Asking = {
  readonly callId: string;
  readonly abort: AbortController;
  /** Whether this channel has sent an answer. */
  answered: boolean;
};

/** For a terminal of unknown height. */
const SCREEN_ROWS = 24;

export const terminalChannel: ChannelKind = {
  attended: 'somebody',
  open: ({ client, terminal }) => new TerminalChannel(client, terminal),
};

/** Asks the user in a plain terminal, one question at a time. */
export class TerminalChannel implements Channel {
  readonly #parts: TerminalParts;
  readonly #client: SessionClient;
  readonly #queue: AwaitingCall[] = [];
  readonly #lines: Interface;
  #held: (() => void)[] = [];
  #closed = false;
  #asking: Asking | null = null;

  constructor(client: SessionClient, parts: TerminalParts) {
    this.#client = client;
    this.#parts = parts;
    const { stdin, stderr, interrupt, onLine } = parts;
    this.#lines = createInterface({ input: stdin, output: stderr, terminal: stderr.isTTY === true });
    // Readline receives Ctrl-C and Ctrl-D as keys, and would only close itself.
    this.#lines.on('SIGINT', interrupt);
    this.#lines.on('line', (line) => {
      if (!this.#asking) onLine?.(line);
    });
    this.#lines.on('close', () => {
      if (!this.#closed) interrupt();
      this.#closed = true;
    });
  }

  offer(call: AwaitingCall): void {
    this.#queue.push(call);
    void this.#next();
  }

  withdraw(callId: string, by: string | null): void {
    const index = this.#queue.findIndex(({ request }) => request.callId === callId);
    if (index >= 0) this.#queue.splice(index, 1);
    if (this.#asking?.callId !== callId) return;
    const { abort, answered } = this.#asking;
    if (by !== null && !answered)
      this.#held.unshift(() => this.#say(`Answered elsewhere, by ${visibleLine(by)}.`));
    abort.abort();
  }

  /** Prints a message, but not while a question is on the screen. */
  printAside(print: () => void): void {
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
    const asking: Asking = { callId: call.request.callId, abort: new AbortController(), answered: false };
    this.#asking = asking;
    try {
      await this.#ask(call, asking);
    } catch (thrown) {
      // The question was withdrawn, or the terminal closed, while we waited for a key. A question that could not be written stays open.
      const isWithdrawn =
        thrown instanceof WriteFailed || (thrown instanceof Error && thrown.name === 'AbortError');
      if (!isWithdrawn) throw thrown;
      if (thrown instanceof WriteFailed) this.#closed = true;
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

  async #ask(call: AwaitingCall, asking: Asking): Promise<void> {
    let choices = await this.#show(call, 'screen');
    for (;;) {
      const typed = (await this.#lines.question('> ', { signal: asking.abort.signal })).trim();
      const [key = ''] = typed.split(/\s/, 1);
      const words = typed.slice(key.length).trim();
      const choice = choices.find((offered) => offered.key === key.toLowerCase());
      if (!choice) this.#say(`Type one of: ${choices.map((offered) => offered.key).join(', ')}`);
      else if (words !== '' && !takesWords(choice))
        this.#say(`Nothing was decided: type "${key}" alone. Only a "no" takes feedback: n why not`);
      else if (choice.does === 'show the whole') choices = await this.#show(call, 'whole');
      else if (choice.does.type === 'edit') {
        const problem = await this.#modify(call, asking);
        if (problem === null) return;
        choices = await this.#show(call, 'screen', `The question is unchanged: ${problem}`);
      } else if (choice.does.type === 'fill in a form') {
        const answers = await this.#fillIn(call, asking.abort.signal);
        if (answers.some((answer) => answer !== ''))
          return this.#answer(call, asking, { ...choice.does, payload: { answers } }, '');
        choices = await this.#show(call, 'screen', 'Nothing was answered.');
      } else if (choice.does.type === 'allow always') {
        const always = readAlways(choice.does, words, Date.now());
        if (always.ok) return this.#answer(call, asking, always, '');
        this.#say(`Nothing was decided: ${always.problem}`);
      } else return this.#answer(call, asking, choice.does, words);
    }
  }

  /** One line for each question of a form; an empty one skips it. */
  async #fillIn({ question: { confirmation } }: AwaitingCall, signal: AbortSignal): Promise<string[]> {
    const questions = confirmation.type === 'ask_user' ? confirmation.questions : [];
    const answers: string[] = [];
    for (const { header } of questions)
      answers.push((await this.#lines.question(`${visibleLine(header)}: `, { signal })).trim());
    return answers;
  }

  /** Prints the question and its keys. A question that cannot be written cannot be answered. */
  async #show(
    call: AwaitingCall,
    extent: 'screen' | 'whole',
    notice?: string,
  ): Promise<readonly KeyedChoice[]> {
    const { isTTY } = this.#parts.stderr;
    // A terminal of unknown size reports 0.
    const columns = this.#parts.stderr.columns || undefined;
    const screenRows = this.#parts.stderr.rows || SCREEN_ROWS;
    const colour = isTTY === true && !this.#parts.env['NO_COLOR'];
    const choices = [SHOW_THE_WHOLE, ...keyedChoices(call.question)];
    const help = alwaysHelp(choices);
    const waiting = this.#queue.length;
    const notes = [...(waiting > 0 ? [`(${waiting} more after this one)`] : []), ...(notice ? [notice] : [])];
    const below = [
      ...choices.map(({ key, label }) => wrapped(`  [${key}] ${label}`, columns, '      ')),
      ...(help === null ? [] : [wrapped(`  ${help}`, columns, '  ')]),
      ...notes.map((note) => wrapped(visibleLine(note), columns, '  ')),
    ];
    // The last row is the input prompt.
    const rowsBelow = below.join('\n').split('\n').length + 1;
    const asked = { title: call.plan.title, ...call };
    const size = extent === 'whole' ? extent : { screenRows, rowsBelow };
    const { text, isCut } = questionText(asked, { colour, columns, extent: size });
    await writeFully(this.#parts.stderr, `${[text, ...(isCut ? below : below.slice(1))].join('\n')}\n`);
    return isCut ? choices : choices.slice(1);
  }

  async #answer(
    call: AwaitingCall,
    asking: Asking,
    choice: Pick<Choice, 'outcome' | 'payload'>,
    feedback: string,
  ): Promise<void> {
    const { outcome, payload } = choice;
    asking.answered = true;
    const ack = await this.#client.send({
      type: 'answer',
      callId: call.request.callId,
      digest: call.question.digest,
      outcome,
      by: this.#by,
      ...(payload && { payload }),
      ...(feedback !== '' && { payload: { feedback } }),
    });
    if (!ack.ok) this.#say(failureText(ack.failure));
  }

  /** Null if the question was replaced; else why it is unchanged. */
  async #modify(call: AwaitingCall, asking: Asking): Promise<string | null> {
    const { signal } = asking.abort;
    const edited = await this.#parts.edit(call, signal, (where) => {
      this.#say('Modify in progress: Save and close external editor to continue');
      return where === 'terminal' ? this.#handOver() : () => {};
    });
    if (signal.aborted) {
      this.#held.push(() => this.#say('Your edit was discarded: the question is no longer pending.'));
      signal.throwIfAborted();
    }
    if (!edited.ok) return edited.problem;
    if (!edited.changed) return 'nothing was changed';
    asking.answered = true;
    const { callId } = call.request;
    const { digest } = call.question;
    const ack: Ack = await this.#client.send({
      type: 'modify',
      callId,
      digest,
      args: edited.args,
      by: this.#by,
    });
    if (ack.ok) return null;
    asking.answered = false;
    return failureText(ack.failure);
  }

  /** Resets the terminal for another program; returns how to take it back. */
  #handOver(): () => void {
    const restoreInterrupts = this.#parts.ignoreInterrupts();
    this.#lines.pause();
    this.#parts.stdin.setRawMode?.(false);
    return () => {
      restoreInterrupts();
      if (this.#closed) return;
      this.#parts.stdin.setRawMode?.(true);
      this.#lines.resume();
    };
  }

  get #by(): string {
    return this.#parts.env['USER'] ?? 'terminal';
  }

  #say(text: string): void {
    this.#parts.stderr.write(`${visible(text)}\n`);
  }
}

/** Feedback for a no, a scope and limits for an "always". */
const takesWords = ({ does }: KeyedChoice): boolean =>
  does !== 'show the whole' && (does.type === 'decline' || does.type === 'allow always');

function failureText(failure: Failure): string {
  const { message, hint } = explain(failure);
  return `${message}\n  ${hint}`;
}
