import { followSession, type TranscriptItem, updateChannel } from '@countersign/client';
import { visible } from '@countersign/display';
import { carryOut, type Ending, type TerminalPorts } from '@countersign/tui';
import type { SessionAtWork } from '../compose/compose-agent.js';
import type { EndingBySignal } from '../compose/ending-by-signal.js';
import type { Io } from '../io/io.js';
import { canAsk } from '../io/same-terminal.js';
import { itemText, speakerOf } from '../sessions/item-text.js';
import { COLUMNS } from '../sessions/plain-rows.js';
import { openTerminal } from '../terminal/approval-channel.js';

/** The session as plain lines, never redrawn: for screen readers and simple terminals. */
export async function plainSession(
  ports: TerminalPorts,
  { live, tools, settings }: SessionAtWork,
  greeting: readonly string[],
  io: Io,
  ending: EndingBySignal,
): Promise<Ending | 'interrupted'> {
  const { store, stream } = ports;
  let end: (ending: Ending | 'interrupted') => void = () => {};
  const ended = new Promise<Ending | 'interrupted'>((resolve) => {
    end = resolve;
  });
  const lookElsewhere = async () => {
    const rows = (await ports.elsewhere.list()).filter(
      ({ sessionId }) => sessionId !== live.session.sessionId,
    );
    for (const { sessionId, callId, title } of rows) print(`${sessionId}/${callId}: ${title}`);
    if (rows.length > 0) print('To answer one: countersign approvals answer ID OUTCOME');
    return rows.length;
  };
  // Standard error may not be the terminal; standard output is.
  const channel = openTerminal(
    live.session,
    { tools, editor: settings.get('editor').value ?? undefined },
    canAsk(io) ? io : { ...io, stderr: io.stdout },
    (line) => void carryOut(line, line, { ports, onEnd: end, lookElsewhere }),
  );
  const print = (text: string) => channel.printAside(() => void io.stdout.write(`${visible(text)}\n`));
  const stopListening = io.onInterrupt((signal) => {
    if (signal !== 'SIGINT') {
      live.prepareToLeave();
      void ending.begin(signal).finally(() => end('interrupted'));
    } else if (!stream.cancel()) end({ type: 'quit' });
  });
  // Follows the client like the store does, so that a question appears after the text before it.
  const stop = new AbortController();
  const following = followSession(live.session, stop.signal, {
    onQuestion: (change) => updateChannel(channel, change),
  });
  for (const line of greeting) print(line);
  const printer = new Printer(ports, print);
  const unsubscribe = [store.subscribe(() => printer.printNew()), stream.subscribe(() => printer.printNew())];
  printer.printNew();
  try {
    return await ended;
  } finally {
    for (const each of unsubscribe) each();
    stopListening();
    channel.close();
    stop.abort();
    await following;
  }
}

class Printer {
  readonly #ports: TerminalPorts;
  readonly #print: (text: string) => void;
  #items = 0;
  #asides = 0;
  #speaker: string | null = null;
  #state = 'idle';

  constructor(ports: TerminalPorts, print: (text: string) => void) {
    this.#ports = ports;
    this.#print = print;
  }

  printNew(): void {
    const { settled, isCaughtUp } = this.#ports.store.view();
    const { asides, state } = this.#ports.stream.view();
    if (!isCaughtUp) return;
    for (const item of settled.slice(this.#items)) this.#printItem(item);
    for (const { text } of asides.slice(this.#asides)) this.#print(text);
    this.#items = settled.length;
    this.#asides = asides.length;
    if (state !== this.#state && state === 'responding') this.#print('The model is working.');
    if (state !== this.#state && state === 'idle') this.#print('Your turn.');
    this.#state = state;
  }

  #printItem(item: TranscriptItem): void {
    this.#print(itemText(item, { columns: COLUMNS, extent: 'excerpts' }, this.#speaker).join('\n'));
    this.#speaker = speakerOf(item) ?? this.#speaker;
  }
}
