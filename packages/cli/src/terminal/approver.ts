import { createInterface, type Interface } from 'node:readline/promises';
import type { SessionClient } from '@countersign/engine';
import type { AwaitingCall, Outcome } from '@countersign/protocol';
import { failureText } from '../failure-text.js';
import { type Io, say } from '../io.js';
import { questionText } from './question-text.js';

type Choice = { readonly key: string; readonly label: string; readonly outcome: Outcome };

/** Asks a person in a plain terminal, one question at a time. */
export class TerminalApprover {
  readonly #io: Io;
  readonly #client: SessionClient;
  readonly #queue: AwaitingCall[] = [];
  readonly #lines: Interface;
  #asking: { readonly callId: string; readonly abort: AbortController } | null = null;

  constructor(io: Io, client: SessionClient) {
    this.#io = io;
    this.#client = client;
    this.#lines = createInterface({ input: io.stdin, output: io.stderr, terminal: io.stderr.isTTY === true });
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

  close(): void {
    this.#asking?.abort.abort();
    this.#lines.close();
  }

  async #next(): Promise<void> {
    if (this.#asking) return;
    const call = this.#queue.shift();
    if (!call) return;
    const abort = new AbortController();
    this.#asking = { callId: call.request.callId, abort };
    try {
      await this.#settle(call, abort.signal);
    } catch (thrown) {
      // The question was withdrawn or the terminal closed while we waited for a key.
      if (!abort.signal.aborted) throw thrown;
    } finally {
      this.#asking = null;
      void this.#next();
    }
  }

  async #settle(call: AwaitingCall, signal: AbortSignal): Promise<void> {
    const waiting = this.#queue.length;
    say(
      this.#io,
      questionText(
        { title: call.plan.title, ...call },
        this.#io.stderr.isTTY === true && !this.#io.env['NO_COLOR'],
      ),
    );
    if (waiting > 0) say(this.#io, `(${waiting} more after this one)`);
    const choices = choicesFor(call);
    say(this.#io, choices.map(({ key, label }) => `  [${key}] ${label}`).join('\n'));
    for (;;) {
      const typed = (await this.#lines.question('> ', { signal })).trim();
      const [key = '', ...words] = typed.split(/\s+/);
      const choice = choices.find((offered) => offered.key === key.toLowerCase());
      if (!choice) {
        say(this.#io, `Type one of: ${choices.map((offered) => offered.key).join(', ')}`);
        continue;
      }
      const feedback = choice.outcome === 'cancel' && words.length > 0 ? words.join(' ') : undefined;
      const ack = await this.#client.send({
        type: 'answer',
        callId: call.request.callId,
        digest: call.question.digest,
        outcome: choice.outcome,
        by: this.#io.env['USER'] ?? 'terminal',
        ...(feedback !== undefined && { payload: { feedback } }),
      });
      if (!ack.ok) say(this.#io, failureText(ack.failure));
      return;
    }
  }
}

function choicesFor(call: AwaitingCall): readonly Choice[] {
  const choices: Choice[] = [];
  for (const { outcome, grant } of call.question.offers) {
    const always = grant ? `Yes, and always: ${grant.text}` : '';
    if (outcome === 'proceed_once') choices.push({ key: 'y', label: 'Yes, allow once', outcome });
    if (outcome === 'proceed_always') choices.push({ key: 'a', label: always, outcome });
    if (outcome === 'proceed_always_tool') choices.push({ key: 't', label: always, outcome });
    if (outcome === 'proceed_always_server') choices.push({ key: 'v', label: always, outcome });
    if (outcome === 'proceed_always_and_save') choices.push({ key: 's', label: always, outcome });
    if (outcome === 'cancel') choices.push({ key: 'n', label: 'No (n, or: n why not)', outcome });
  }
  return choices;
}
