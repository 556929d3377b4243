import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type McpServer,
  methods,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type ToolCallContent,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { asLines, type Line, type Place, PROGRAM, test as placeTest } from '../cli/program.js';

type Choose = (
  asked: RequestPermissionRequest,
  signal: AbortSignal,
) => string | null | Promise<string | null>;

export type EditorOptions = {
  /** The answers of the model; each session receives them from the beginning. */
  readonly model?: readonly Answer[];
  readonly args?: readonly string[];
  readonly can?: ClientCapabilities;
  readonly env?: NodeJS.ProcessEnv;
  /** The option that a person takes; null for a question that is dismissed. Absent: questions are left open. */
  readonly choose?: Choose;
  readonly fillIn?: (form: CreateElicitationRequest) => CreateElicitationResponse;
};

const WAIT_MS = 40_000;
const LOOK_EVERY_MS = 4;

/** The real program with the official client at the other end of its pipes. */
export class TestEditor {
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  /** Questions that the program took back. */
  readonly withdrawn: string[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  readonly #place: Place;
  readonly #connection: ClientConnection;
  readonly #exit: Promise<number | null>;
  #stderr = '';
  #over = false;
  readonly #options: EditorOptions;

  constructor(place: Place, options: EditorOptions) {
    const { model, args = [], env = {} } = options;
    this.#place = place;
    this.#options = options;
    const recording = `../recording-${recordings++}.jsonl`;
    if (model) place.write(recording, asLines(...model.map(recorded)));
    const fake = model ? ['--fake-responses', recording] : [];
    this.child = spawn(process.execPath, [PROGRAM, 'acp', ...fake, ...args], {
      cwd: place.workspace,
      env: { ...place.environment, ...env },
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.child.stdin.on('error', () => {});
    this.#exit = new Promise((resolve) => {
      this.child.on('close', (code) => {
        this.#over = true;
        resolve(code);
      });
    });
    this.#connection = this.#connect();
  }

  get agent() {
    return this.#connection.agent;
  }

  get stderr(): string {
    return this.#stderr;
  }

  async initialize(can: ClientCapabilities = {}) {
    return this.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: can });
  }

  async newSession(cwd = this.#place.workspace, mcpServers: McpServer[] = []) {
    return this.agent.request(methods.agent.session.new, { cwd, mcpServers });
  }

  load(sessionId: string) {
    const { workspace: cwd } = this.#place;
    return this.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  }

  prompt(sessionId: string, text = 'Go.'): Promise<PromptResponse> {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  }

  cancel(sessionId: string): Promise<void> {
    return this.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** What the editor shows of each call, all updates put together. */
  calls(sessionId?: string): readonly ToolCallUpdate[] {
    const calls = new Map<string, ToolCallUpdate>();
    for (const { update, sessionId: of } of this.updates) {
      if (sessionId !== undefined && of !== sessionId) continue;
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
      calls.set(update.toolCallId, Object.assign(calls.get(update.toolCallId) ?? {}, update));
    }
    return [...calls.values()];
  }

  /** The words of one kind of chunk, joined. */
  words(
    kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk',
    sessionId?: string,
  ): string {
    return this.updates
      .flatMap(({ update, sessionId: of }) =>
        (sessionId === undefined || of === sessionId) &&
        update.sessionUpdate === kind &&
        update.content.type === 'text'
          ? [update.content.text]
          : [],
      )
      .join('');
  }

  kinds(): readonly string[] {
    return this.updates.map(({ update }) => update.sessionUpdate);
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS;
    while (!condition()) {
      if (performance.now() > giveUpAt)
        throw new Error(`Waited for ${what}.\n${JSON.stringify(this.updates)}\nstderr: ${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** The editor closes: the program sees the end of its input. */
  async close(): Promise<number | null> {
    this.child.stdin.end();
    return this.ended();
  }

  async kill(): Promise<void> {
    if (!this.#over) this.child.kill('SIGKILL');
    await this.#exit;
  }

  async ended(): Promise<number | null> {
    await this.until(() => this.#over, 'the end of the program');
    return this.#exit;
  }

  #connect(): ClientConnection {
    return client({ name: 'test editor' })
      .onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params))
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
        this.#decide(params, signal),
      )
      .onRequest(
        methods.client.elicitation.create,
        ({ params }) => this.#options.fillIn?.(params) ?? { action: 'decline' },
      )
      .connect(ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(this.child.stdout)));
  }

  async #decide(asked: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    this.asked.push(asked);
    signal.addEventListener('abort', () => this.withdrawn.push(asked.toolCall.toolCallId));
    const { choose = () => NEVER } = this.#options;
    const optionId = await choose(asked, signal);
    return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
  }
}

/** The texts among what a call shows. */
export const textsOf = (
  call: { readonly content?: ToolCallContent[] | null } | undefined,
): readonly string[] =>
  (call?.content ?? []).flatMap((shown) =>
    shown.type === 'content' && shown.content.type === 'text' ? [shown.content.text] : [],
  );

const NEVER = new Promise<never>(() => {});
let recordings = 0;

/** One answer of the model: words, thoughts and calls, in Gemini's parts; `finishReason` if it is not done with them. */
export type Answer = readonly Line[] | { readonly parts: readonly Line[]; readonly finishReason: string };

export const says = (text: string): Line => ({ text });
export const thinks = (text: string): Line => ({ text, thought: true });
export const wants = (name: string, args: Line, id?: string): Line => ({
  functionCall: { ...(id !== undefined && { id }), name, args },
});

export const write = (path: string, content: string): Line =>
  wants('write_file', { file_path: path, content });
export const run = (command: string): Line => wants('run_shell_command', { command });
export const DONE: Answer = [says('Done.')];

function recorded(answer: Answer): Line {
  const { parts, finishReason } = 'parts' in answer ? answer : { parts: answer, finishReason: 'STOP' };
  const response = [{ candidates: [{ content: { role: 'model', parts }, finishReason }] }];
  return { method: 'generateContentStream', response };
}

/** Starts the program for an editor that has said hello. */
export type StartEditor = (options?: EditorOptions) => Promise<TestEditor>;

export const test = placeTest.extend<{ editor: StartEditor }>({
  editor: async ({ place, onTestFinished }, use) => {
    const editors: TestEditor[] = [];
    onTestFinished(async () => {
      for (const editor of editors) await editor.kill();
    });
    await use(async (options = {}) => {
      const editor = new TestEditor(place, options);
      editors.push(editor);
      await editor.initialize(options.can);
      return editor;
    });
  },
});
