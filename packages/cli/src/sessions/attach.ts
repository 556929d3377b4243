import { createInterface } from 'node:readline';
import { RemoteClient, readFacts } from '@countersign/attach';
import type { Channel } from '@countersign/channels';
import { followSession, Transcript, type TranscriptItem, updateChannel } from '@countersign/client';
import { type Journal, type Owner, type SessionInfo, Toolbox } from '@countersign/engine';
import { isSettled } from '@countersign/protocol';
import { builtInTools } from '@countersign/tools';
import { oneId, withSession } from '../compose/known-store.js';
import { resumeCommand } from '../compose/next-commands.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, failureText } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { canAsk } from '../io/same-terminal.js';
import { readOptions } from '../options/options.js';
import { openTerminal } from '../terminal/approval-channel.js';
import { itemText, speakerOf } from './item-text.js';
import { COLUMNS } from './plain-rows.js';

/** `countersign attach`: watches a session of another process, answers its questions, and sends messages. */
export async function attach(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('attach', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  const id = oneId('attach', positionals);
  return withSession(values.store, id, io, 'write', async (journal, info) => {
    if (info.owner === null) {
      const command = await resumeCommand({ journal, sessionId: id, store: values.store }, io);
      throw new CommandFailure({ code: 'session_idle', sessionId: id, command });
    }
    return new Attachment(journal, info, values.json ?? false, io).run();
  });
}

/** Earlier items to print for context. */
const ITEMS_BEFORE = 10;
/** How often to check that the owner still runs. */
const LOOK_FOR_OWNER_MS = 300;

class Attachment {
  readonly #journal: Journal;
  readonly #client: RemoteClient;
  readonly #io: Io;
  readonly #json: boolean;
  readonly #transcript = new Transcript();
  readonly #channel: Channel | null;
  readonly #stop = new AbortController();
  readonly #printedStatus = new Map<string, string>();
  #owner: Owner | null;
  #nextSeq = 0;
  #speaker: string | null = null;
  #trouble: Error | null = null;

  constructor(journal: Journal, { sessionId, owner }: SessionInfo, json: boolean, io: Io) {
    this.#journal = journal;
    this.#client = new RemoteClient(journal, sessionId);
    this.#io = io;
    this.#json = json;
    this.#owner = owner;
    this.#channel =
      canAsk(io) && !json
        ? openTerminal(
            this.#client,
            { tools: new Toolbox(builtInTools()) },
            io,
            (line) => void this.#prompt(line),
          )
        : null;
  }

  async run(): Promise<ExitCode> {
    const { sessionId } = this.#client;
    const stopListening = this.#io.onInterrupt(() => this.#stop.abort());
    const looking = setInterval(() => {
      this.#lookForOwner().catch((thrown: unknown) => this.#fail(thrown));
    }, LOOK_FOR_OWNER_MS);
    try {
      await this.#catchUp();
      if (!this.#channel && !this.#json) this.#readLines();
      await followSession(this.#client, this.#stop.signal, {
        onFact: ({ seq, event, call }) => {
          if (seq < this.#nextSeq) return;
          this.#nextSeq = seq + 1;
          if (this.#json) printJson(this.#io, { type: 'event', seq, event });
          for (const item of this.#transcript.observe(event, call)) this.#printById(item);
        },
        onQuestion: (change) => {
          if (this.#channel) updateChannel(this.#channel, change);
        },
      });
    } finally {
      clearInterval(looking);
      stopListening();
      this.#channel?.close();
      // Unread input must not keep the program alive.
      this.#io.stdin.destroy();
    }
    if (this.#trouble) throw this.#trouble;
    if (!this.#json && this.#owner === null) say(this.#io, `No process has ${sessionId} open any more.`);
    return EXIT.ok;
  }

  async #catchUp(): Promise<void> {
    for await (const { seq, event, call } of readFacts(this.#journal, this.#client.sessionId)) {
      this.#transcript.observe(event, call);
      this.#nextSeq = seq + 1;
    }
    const { sessionId } = this.#client;
    if (this.#json) {
      printJson(this.#io, {
        type: 'attached',
        sessionId,
        pid: this.#owner?.shown.pid ?? null,
        seq: this.#nextSeq,
      });
      return;
    }
    say(
      this.#io,
      `Process ${this.#owner?.shown.pid} has ${sessionId} open. Ctrl-C detaches; the session continues.`,
    );
    for (const item of this.#transcript.items.slice(-ITEMS_BEFORE)) this.#print(item);
  }

  async #lookForOwner(): Promise<void> {
    const info = await this.#journal.session(this.#client.sessionId);
    // The last events are printed before this detaches.
    if (info && (info.owner !== null || info.seq > this.#nextSeq)) return;
    this.#owner = null;
    this.#stop.abort();
  }

  #fail(thrown: unknown): void {
    this.#trouble ??= thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#stop.abort();
  }

  #printById(id: string): void {
    const item = this.#json ? undefined : this.#transcript.items.findLast((each) => each.id === id);
    if (item) this.#print(item);
  }

  /** A call is printed when it starts, waits or has ended, not on other changes. */
  #print(item: TranscriptItem): void {
    if (item.kind === 'call') {
      const { status } = item.call;
      if (this.#printedStatus.get(item.id) === status || status === 'validating' || status === 'scheduled')
        return;
      // The question itself is printed instead.
      if (status === 'awaiting_approval' && this.#channel) return;
      if (isSettled(item.call)) this.#printedStatus.delete(item.id);
      else this.#printedStatus.set(item.id, status);
    }
    const shown = { columns: this.#io.stdout.columns ?? COLUMNS, extent: 'excerpts' } as const;
    const text = itemText(item, shown, this.#speaker).join('\n');
    this.#speaker = speakerOf(item) ?? this.#speaker;
    const print = () => this.#io.stdout.write(`${text}\n`);
    if (this.#channel) this.#channel.printAside(print);
    else print();
  }

  /** Without a terminal, each input line is a message, too. */
  #readLines(): void {
    const lines = createInterface({ input: this.#io.stdin, terminal: false });
    lines.on('line', (line) => void this.#prompt(line));
  }

  async #prompt(line: string): Promise<void> {
    const text = line.trim();
    if (text === '') return;
    const by = this.#io.env['USER'] ?? 'terminal';
    try {
      const ack = await this.#client.send({ type: 'prompt', parts: [{ text }], by }, this.#stop.signal);
      if (!ack.ok) say(this.#io, failureText(ack.failure));
    } catch (thrown) {
      if (!this.#stop.signal.aborted) this.#fail(thrown);
    }
  }
}
