import type { ContentBlock, PromptResponse, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk';
import { type AgentEvent, type Ending, notingWork } from '@countersign/agent';
import { type QuestionChange, SessionFold, updateChannel } from '@countersign/client';
import { explain, type Fact, type Live } from '@countersign/protocol';
import { followLive } from './calls/live-output.js';
import { output, text } from './calls/settled-call.js';
import { ShownCalls } from './calls/shown-calls.js';
import { readPrompt } from './content/prompt-parts.js';
import { badRequest, requestFailure } from './content/request-failure.js';
import { EDITOR, type Editor } from './editor.js';
import { EditorChannel } from './editor-channel.js';
import type { Host, Opened } from './host.js';
import { modeState, readMode } from './modes.js';
import { messageUpdates, Past, planOf } from './past.js';
import { commandsUpdate, expandCommand } from './slash-commands.js';
import { stopFor } from './stop-reason.js';

type OpenedSession = Extract<Opened, { ok: true }>;

/** How an editor shows the past of a session that it opens: it receives all of it as updates, or none. */
export type History = 'replayed' | 'omitted';

/** Sends one session to an editor: what happens in it as updates, its questions as requests for permission. */
export class EditorSession {
  readonly #opened: OpenedSession;
  readonly #editor: Editor;
  readonly #log: Host['say'];
  readonly #calls: ShownCalls;
  readonly #questions: EditorChannel;
  readonly #over = new AbortController();
  readonly #stopListening: () => void;
  readonly #stopLookingForCommands: () => void;
  /** Facts and changes of questions that have not been shown yet. */
  #queued: (Fact | QuestionChange)[] = [];
  /** Until the past is read, nothing new is shown. */
  #isUpToDate = false;
  #showSoon: NodeJS.Immediate | null = null;
  #working: AbortController | null = null;
  #isBegun = false;

  constructor(opened: OpenedSession, editor: Editor, log: Host['say']) {
    const { live, tools } = opened;
    this.#opened = opened;
    this.#editor = editor;
    this.#log = log;
    this.#calls = new ShownCalls((name) => tools.get(name));
    this.#questions = new EditorChannel(live, editor, this.#calls, log);
    const queue = (change: Fact | QuestionChange) => this.#queue(change);
    this.#stopListening = live.events.subscribe({ onFact: queue, onQuestion: queue });
    this.#stopLookingForCommands = opened.commands.onChanged(() => this.#showCommands());
    followLive(live.session, this.#over.signal, (shown) => this.#showLive(shown)).catch((thrown: unknown) =>
      log(`Live output is no longer shown: ${String(thrown)}`),
    );
  }

  get modes(): SessionModeState {
    return modeState(this.#opened.live.session.mode);
  }

  /** Reads what happened before, and shows it if it is to be `replayed`. Pending questions are asked afterwards. */
  async catchUp(history: History): Promise<void> {
    const { session } = this.#opened.live;
    this.#showQueued();
    this.#isUpToDate = false;
    this.#queued = [];
    const presentFrom = session.seq;
    const recorded = (await this.#opened.past()).filter(({ seq }) => seq < presentFrom);
    const past = new Past();
    const folded = new SessionFold(session.sessionId);
    for (const each of recorded) {
      const fact = folded.fold(each);
      this.#calls.updateFor(fact);
      past.add(fact);
    }
    if (history === 'replayed') for (const update of past.updates(this.#calls)) this.#editor.show(update);
    this.#isUpToDate = true;
    // After the answer to the request that opens the session: before it, an editor may not know the session yet.
    setImmediate(() => {
      this.#begin();
      if (this.#opened.commands.list().length > 0) this.#showCommands();
      this.#questions.offerAll();
      this.#showQueued();
    });
  }

  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (this.#working) throw badRequest('this session is already working on a prompt; cancel that one first');
    const { agent, live, workspace, commands } = this.#opened;
    const read = readPrompt(blocks, workspace);
    const working = new AbortController();
    this.#working = working;
    try {
      const expanded = await expandCommand(read, commands, working.signal);
      if (working.signal.aborted) return { stopReason: 'cancelled' };
      if (expanded.type === 'problem') {
        this.#editor.notify('warning', expanded.text);
        return { stopReason: 'end_turn' };
      }
      const parts = expanded.type === 'said' ? expanded.parts : read.parts;
      this.#begin();
      const { sessionId } = live.session;
      const promptId = `${sessionId}#${live.conversation.messages.length + 1}`;
      const options = { signal: working.signal, by: EDITOR, promptId, typed: read.typed };
      return await this.#follow(notingWork(live.session, agent.prompt(parts, options)));
    } finally {
      this.#working = null;
    }
  }

  cancel(): void {
    this.#working?.abort();
    // Questions that an earlier process left open are not part of a prompt.
    if (!this.#working)
      void this.#opened.live.session.send({ type: 'cancel', target: { type: 'all' }, by: EDITOR });
  }

  async setMode(modeId: string): Promise<void> {
    const mode = readMode(modeId);
    const ack = await this.#opened.live.session.send({ type: 'set-mode', mode, by: EDITOR });
    if (!ack.ok) throw requestFailure(ack.failure);
  }

  /** No model is asked from now on; calls continue until the session is closed. */
  prepareToLeave(): void {
    this.#opened.live.prepareToLeave();
  }

  /**
   * Leave. Running calls are cancelled; pending questions and queued calls stay open for the process that resumes the session,
   * unless the work on the prompt is to be `cancelled` as a whole.
   */
  async close(work: 'cancelled' | 'left'): Promise<void> {
    const { leave } = this.#opened;
    this.#questions.close();
    this.#stopListening();
    this.#stopLookingForCommands();
    this.#over.abort();
    this.prepareToLeave();
    // It cancels what waits for a person or for another call, too.
    if (work === 'cancelled') this.#working?.abort();
    const words = await leave();
    this.#working?.abort();
    if (words !== null) this.#log(words);
  }

  /** Runs the hooks for the start of the session, once. The first prompt waits for them, the editor does not. */
  #begin(): void {
    if (this.#isBegun || this.#over.signal.aborted) return;
    this.#isBegun = true;
    const notify = (words: string) => this.#editor.notify('info', words);
    this.#opened.begin(notify).catch((thrown: unknown) => this.#log(String(thrown)));
  }

  async #follow(events: AsyncGenerator<AgentEvent, Ending>): Promise<PromptResponse> {
    let lastFinish = 'stop';
    for (;;) {
      const next = await events.next();
      if (next.done) return this.#ended(next.value, lastFinish);
      if (next.value.type === 'finished') lastFinish = next.value.value.reason;
      this.#showEvent(next.value);
    }
  }

  #ended(ending: Ending, lastFinish: string): PromptResponse {
    this.#showQueued();
    const { stopReason, words } = stopFor(ending, lastFinish);
    if (words !== null) this.#editor.notify('warning', words);
    if (stopReason === null && ending.type === 'failed') throw requestFailure(ending.failure);
    return { stopReason: stopReason ?? 'end_turn' };
  }

  #showEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'content':
        return this.#editor.show(chunk('agent_message_chunk', event.value));
      case 'thought': {
        const { subject, description } = event.value;
        const words = [subject === '' ? [] : `**${subject}**`, description].flat().join('\n\n');
        return this.#editor.show(chunk('agent_thought_chunk', words));
      }
      case 'notice':
        return this.#editor.notify('info', event.value);
      case 'retry': {
        const { because, delayMs } = event.value;
        const seconds = Math.ceil(delayMs / 1000);
        return this.#editor.notify('warning', `${explain(because).message} Retrying in ${seconds} s.`);
      }
      case 'tool_call_request':
      case 'tool_call_confirmation':
      case 'tool_call_response':
        // Facts arrive before the events of the agent; this is their place in the order.
        return this.#showQueued();
      case 'chat_compressed':
      case 'finished':
      case 'error':
      case 'user_cancelled':
    }
  }

  /** Before the past is shown, an editor may not know the session yet. */
  #showCommands(): void {
    if (this.#isUpToDate) this.#editor.show(commandsUpdate(this.#opened.commands));
  }

  // ---- Facts

  #queue(change: Fact | QuestionChange): void {
    this.#queued.push(change);
    // Text that the model sent earlier is still on its way; it arrives within one turn of the event loop.
    this.#showSoon ??= setImmediate(() => this.#showQueued());
  }

  #showQueued(): void {
    if (!this.#isUpToDate) return;
    if (this.#showSoon) clearImmediate(this.#showSoon);
    this.#showSoon = null;
    const queued = this.#queued;
    this.#queued = [];
    for (const each of queued) {
      if (!('type' in each)) this.#show(each);
      // A question that was answered meanwhile is not asked any more.
      else if (each.type === 'gone' || this.#opened.live.events.waitsFor(each.call))
        updateChannel(this.#questions, each);
    }
  }

  #show(fact: Fact): void {
    const { event, call } = fact;
    const update = this.#calls.updateFor(fact);
    if (update) this.#editor.show(update);
    switch (event.type) {
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled': {
        const plan = planOf(call);
        if (plan) this.#editor.show(plan);
        return;
      }
      case 'mode.changed':
        return this.#editor.show({ sessionUpdate: 'current_mode_update', currentModeId: event.mode });
      case 'message.added':
        // The editor has shown the model's text as it arrived, and knows what its own user typed.
        if (event.message.role === 'user' && event.message.by !== EDITOR)
          for (const shown of messageUpdates(event.message)) this.#editor.show(shown);
        return;
      default:
    }
  }

  #showLive({ callId, output: printed, progress }: Live): void {
    this.#showQueued();
    const words = printed === undefined ? progress?.message : output(printed);
    if (words === undefined) return;
    const update = this.#calls.live(callId, [text(words)]);
    if (update) this.#editor.show(update);
  }
}

const chunk = (
  sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
  words: string,
): SessionUpdate => ({ sessionUpdate, content: { type: 'text', text: words } });
