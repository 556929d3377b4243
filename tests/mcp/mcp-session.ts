import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DEFAULT_POLICY_SOURCE,
  loadPolicy,
  memoryJournal,
  openSession,
  type PolicySource,
  type SessionShell,
  Toolbox,
} from '@countersign/engine';
import { classify } from '@countersign/host';
import { DiscoveredMCPTool, McpClientManager, type McpLimits, type ServerReport } from '@countersign/mcp';
import type {
  AskedQuestion,
  Fact,
  Json,
  JsonObject,
  Live,
  Outcome,
  Question,
  SettledCall,
} from '@countersign/protocol';
import { slowdown } from '@countersign/testkit';
import { builtInTools } from '@countersign/tools';

/** The limits that the corpus of faults is written for. */
const LIMITS = {
  handshakeMs: 2_000,
  callIdleMs: 2_000,
  callTotalMs: 5_000,
  messageBytesMax: 10_000_000,
  reconnectFirstMs: 50,
} satisfies Partial<McpLimits>;

const slowed = (times: number): Partial<McpLimits> => ({
  ...LIMITS,
  handshakeMs: LIMITS.handshakeMs * times,
  callIdleMs: LIMITS.callIdleMs * times,
  callTotalMs: LIMITS.callTotalMs * times,
});

const FAULTY = fileURLToPath(new URL('faulty-server.mjs', import.meta.url));

/** A session with MCP servers, in a directory of its own. */
export class McpSession {
  readonly manager: McpClientManager;
  readonly session: SessionShell;
  readonly toolbox: Toolbox;
  readonly base: string;
  /** All that were asked, in order. */
  readonly questions: Question[] = [];
  /** What the person says to questions of a running call; null if they decline, undefined if they say nothing. */
  reply: (questions: readonly AskedQuestion[]) => Json | undefined = () => null;
  /** What became of each call, as JSON. */
  readonly reported: string[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #answers = new Map<string, { readonly answer: Outcome; readonly after: Promise<void> }>();
  #serial = 0;

  private constructor(
    base: string,
    toolbox: Toolbox,
    manager: McpClientManager,
    session: SessionShell,
    readonly progress: readonly Progress[],
    /** How many times its limits are those of the corpus: more than once where the machine is busy. */
    readonly slowdown: number,
  ) {
    this.base = base;
    this.toolbox = toolbox;
    this.manager = manager;
    this.session = session;
  }

  static async open(
    options: {
      readonly limits?: Partial<McpLimits>;
      readonly rules?: string;
      readonly env?: { readonly [name: string]: string };
      readonly base?: string;
    } = {},
  ): Promise<McpSession> {
    const base = options.base ?? realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')));
    const workspace = join(base, 'ws');
    mkdirSync(workspace, { recursive: true });
    const toolbox = new Toolbox(builtInTools());
    const own: PolicySource[] =
      options.rules === undefined ? [] : [{ file: 'own.toml', tier: 'user', text: options.rules }];
    const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE, ...own]);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded));
    let watch: (fact: Fact) => void = () => {};
    const seen: Progress[] = [];
    const opened = await openSession({
      journal: memoryJournal(),
      sessionId: 's',
      workspace,
      tools: toolbox,
      policy: loaded.policy,
      classify,
      watcher: {
        onFacts: (facts) => {
          for (const fact of facts) watch(fact);
        },
        onLive: ({ progress }) => {
          if (progress) seen.push(progress);
        },
      },
    });
    if (!opened.ok) throw new Error(opened.failure.code);
    const times = await slowdown();
    const manager = new McpClientManager({
      toolbox,
      workspace,
      env: { ...process.env, ...options.env },
      storeDirectory: join(base, 'store'),
      version: '0.0.0',
      limits: { ...slowed(times), ...options.limits },
    });
    const made = new McpSession(base, toolbox, manager, opened.session, seen, times);
    watch = (fact) => void made.#onFact(fact);
    return made;
  }

  get log(): string {
    return join(this.base, 'log');
  }

  /** Settings of a faulty server over stdio. */
  faulty(script: object, more: JsonObject = {}): JsonObject {
    const args = [FAULTY, JSON.stringify(script)];
    return { command: process.execPath, args, env: { FAULTY_LOG: this.log }, ...more };
  }

  /** Settings of a faulty server over HTTP, which is started. */
  async faultyHttp(script: object, more: JsonObject = {}, at = 0): Promise<JsonObject> {
    const child = spawn(process.execPath, [FAULTY, '--http', JSON.stringify(script)], {
      env: { ...process.env, FAULTY_LOG: this.log, FAULTY_PORT: String(at) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
    const [port] = await once(child.stderr, 'data');
    return { url: `http://127.0.0.1:${String(port).trim()}/mcp`, ...more };
  }

  /** How often a request of this method arrived. */
  count(method: 'tools/call' | 'tools/list' | 'notifications/cancelled'): number {
    if (!existsSync(this.log)) return 0;
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line === method).length;
  }

  toolOf(name: string): DiscoveredMCPTool | undefined {
    const tool = this.toolbox.get(name);
    return tool instanceof DiscoveredMCPTool ? tool : undefined;
  }

  report(server: string): ServerReport {
    const report = this.manager.status().find(({ name }) => name === server);
    if (!report) throw new Error(`there is no server ${server}`);
    return report;
  }

  /** One call to its end. `answer`: what the person says to its question. */
  async call(name: string, args: JsonObject, options: CallOptions = {}): Promise<SettledCall> {
    const { answer, answerAfter, signal } = options;
    const callId = `c${(this.#serial += 1)}`;
    if (answer) this.#answers.set(callId, { answer, after: answerAfter ?? Promise.resolve() });
    const outcome = await this.session.schedule([{ callId, name, args }], {
      attended: answer ? 'somebody' : 'nobody',
      ...(signal && { signal }),
    });
    if (!outcome.ok) throw new Error(outcome.failure.code);
    const [call] = outcome.calls;
    if (!call) throw new Error('the batch was empty');
    this.reported.push(JSON.stringify(call.status === 'error' ? call.failure : call.status));
    return call;
  }

  async #onFact({ event }: Fact): Promise<void> {
    if (event.type !== 'call.asked') return;
    const { callId, question } = event;
    this.questions.push(question);
    const planned = this.#answers.get(callId);
    await planned?.after;
    const { digest, confirmation } = question;
    const answers = confirmation.type === 'ask_user' ? this.reply(confirmation.questions) : null;
    if (answers === undefined) return;
    const outcome =
      confirmation.type !== 'ask_user' ? planned?.answer : answers === null ? 'cancel' : 'proceed_once';
    if (!outcome) return;
    const payload = answers === null ? {} : { payload: { answers } };
    await this.session.send({ type: 'answer', callId, digest, outcome, by: 'tester', ...payload });
  }

  async close(): Promise<void> {
    await this.manager.close();
    await this.session.dispose();
    for (const child of this.#children) {
      // A search for leftover processes must not find one that is about to end.
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.base, { recursive: true, force: true });
  }
}

type Progress = NonNullable<Live['progress']>;
type CallOptions = {
  /** Absent: no user can be asked. */
  readonly answer?: Outcome;
  readonly answerAfter?: Promise<void>;
  readonly signal?: AbortSignal;
};
