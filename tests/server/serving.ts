import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, openLiveSession } from '@countersign/agent';
import {
  DEFAULT_POLICY_SOURCE,
  forkSession,
  type Journal,
  loadPolicy,
  supposeCall,
  type Tool,
  Toolbox,
} from '@countersign/engine';
import { classify } from '@countersign/host';
import type { Policy } from '@countersign/kernel';
import type { Provider } from '@countersign/models';
import type { ApprovalMode } from '@countersign/protocol';
import {
  BrowserRecords,
  type NamedToken,
  type RunningServer,
  type ServerLimits,
  type ServerPorts,
  startServer,
} from '@countersign/server';
import { type Client, createClient, type Result } from '@countersign/server/client';
import { sqliteJournal } from '@countersign/store-sqlite';
import { builtInTools, workspaceFiles } from '@countersign/tools';

export const TOKENS = [
  { name: 'ann', token: 'csgn_token-of-ann-0123456789' },
  { name: 'bob', token: 'csgn_token-of-bob-0123456789' },
];

export type ServingOptions = {
  readonly limits?: Partial<ServerLimits>;
  readonly page?: string;
  /** What answers instead of a model; absent: there is none. */
  readonly provider?: Provider;
  /** Beside the real ones and the one that counts. */
  readonly tools?: readonly Tool[];
};

const SERVER_ID = 'server-of-tests';

const NO_MODEL = { code: 'model_not_configured', problem: 'No model is set up here.', fix: 'None.' } as const;

/** A server in this process, with a store and a workspace of its own, real tools and one that only counts. */
export class Serving {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-server-')));
  readonly workspace = join(this.directory, 'workspace');
  /** What `count` was run for, in order. */
  readonly counted: string[] = [];
  readonly troubles: string[] = [];
  /** The sessions that the server closed, each with the reason that hooks receive. */
  readonly left: { readonly sessionId: string; readonly reason: string }[] = [];
  /** The accepted tokens; a test may remove one. */
  tokens: readonly NamedToken[] = TOKENS;
  readonly browsersDirectory = join(this.directory, 'browsers');
  readonly #options: ServingOptions;
  #journal: Journal | null = null;
  #server: RunningServer | null = null;

  private constructor(options: ServingOptions) {
    this.#options = options;
    mkdirSync(this.workspace);
  }

  static async start(options: ServingOptions = {}): Promise<Serving> {
    const serving = new Serving(options);
    await serving.begin();
    return serving;
  }

  async begin(): Promise<void> {
    const { limits = {}, page = null } = this.#options;
    this.#journal = await sqliteJournal(join(this.directory, 'countersign.db'));
    this.#server = await startServer({
      ports: await this.ports(),
      tokens: { tokens: async () => this.tokens },
      browsers: new BrowserRecords(this.browsersDirectory, Date.now),
      binding: { address: '127.0.0.1', port: 0, names: [], tls: null, exposure: 'this machine' },
      page,
      limits: { wrongTokenDelayMs: 1, ...limits },
    });
  }

  get server(): RunningServer {
    if (!this.#server) throw new Error('the server does not run');
    return this.#server;
  }

  get journal(): Journal {
    if (!this.#journal) throw new Error('the store is not open');
    return this.#journal;
  }

  /** The store as another process would have it. */
  openStore(): Promise<Journal> {
    return sqliteJournal(join(this.directory, 'countersign.db'));
  }

  client(name: 'ann' | 'bob' = 'ann'): Client {
    return createClient({
      url: this.server.url,
      token: TOKENS.find((each) => each.name === name)?.token ?? '',
    });
  }

  async end(): Promise<void> {
    await this.#server?.close();
    await this.#journal?.close();
    this.#server = null;
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A session with a call that waits to be approved; approving it counts `word`. */
  async ask(word: string, sessionId?: string): Promise<Asked> {
    const client = this.client();
    const id = sessionId ?? must(await client.createSession({ body: {} })).sessionId;
    const body = { calls: [{ name: 'count', args: { word } }] };
    const [callId = ''] = must(await client.issueCalls({ sessionId: id, body })).callIds;
    return { sessionId: id, callId, digest: await this.digestOf(id, callId) };
  }

  async digestOf(sessionId: string, callId: string): Promise<string> {
    const isIt = (each: { readonly callId: string }) => each.callId === callId;
    return until(async () => {
      const { approvals } = must(await this.client().listApprovals({ sessionId, limit: 200 }));
      return approvals.find(isIt)?.digest;
    });
  }

  async ports(): Promise<ServerPorts> {
    const { provider, tools: more = [] } = this.#options;
    const { journal } = this;
    const policy = await defaultPolicy();
    return {
      journal,
      serverId: SERVER_ID,
      workspaces: [this.workspace],
      now: Date.now,
      version: '0.0.0',
      onTrouble: (text) => this.troubles.push(text),
      model: async () => (provider ? 'scripted' : null),
      openSession: async ({ journal: handle, sessionId, session, workspace, mode, identity }) => {
        const tools = new Toolbox([...builtInTools(), this.#counting(), ...more]);
        const parts = {
          ...({ frontEnd: 'server', serverId: SERVER_ID } as const),
          workspace,
          tools,
          policy,
          classify,
          outputs: join(this.directory, 'outputs'),
        };
        const opened = await openLiveSession({
          ...parts,
          journal: handle,
          sessionId,
          session,
          ...(mode && { mode }),
          ...(identity && { identity }),
        });
        if (!opened.ok) return opened;
        const { live } = opened;
        const agent = provider
          ? new Agent(live, {
              provider,
              model: 'scripted',
              system: () => '',
              tools,
              policy,
              workspace,
              attended: 'somebody',
            })
          : null;
        const leave = (reason: string) => {
          this.left.push({ sessionId, reason });
          return live.session.dispose();
        };
        return {
          ok: true,
          opened: {
            live,
            leave,
            begin: async () => {},
            agent: async () => (agent ? { ok: true, agent } : { ok: false, failure: NO_MODEL }),
          },
        };
      },
      forkSession: async (from, to, callId, identity) => {
        const point = callId === null ? ({ type: 'end' } as const) : ({ type: 'call', callId } as const);
        const forked = await forkSession({
          ...{ journal, outputs: null, from, to, point },
          ...(identity && { identity }),
        });
        return forked.ok ? null : { code: 'unknown_call', callId: callId ?? '' };
      },
      endCommands: async () => null,
      removeKept: async () => {},
      demonstrations: {
        prepare: async () => ({ workspace: this.workspace, prompt: 'Begin.' }),
        isOne: async () => false,
      },
      judgeFor: async (workspace, mode) => judgeWith(policy, workspace, mode ?? 'manual'),
      toolsOf: async () => new Toolbox(builtInTools()).declarations(),
      filesOf: (workspace, signal) => workspaceFiles(workspace, 1_000, signal),
    };
  }

  #counting(): Tool {
    return {
      name: 'count',
      displayName: 'Count',
      description: 'Counts how often it runs.',
      kind: 'other',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      canUpdateOutput: false,
      check: (args) => ({ ok: true, args }),
      plan: ({ word }) => ({
        title: `Count ${String(word)}`,
        resources: [{ kind: 'opaque', why: 'it counts' }],
        repeat: 'unsafe',
      }),
      run: async ({ word }) => {
        this.counted.push(String(word));
        return { llmContent: 'Counted.', returnDisplay: 'Counted.' };
      },
    };
  }
}

export type Asked = { readonly sessionId: string; readonly callId: string; readonly digest: string };

async function defaultPolicy(): Promise<Policy> {
  const tools = new Toolbox(builtInTools());
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], {
    knownTools: tools.all().map(({ name }) => name),
    aliases: tools.aliases(),
  });
  if (!loaded.ok) throw new Error(loaded.failure.code);
  return loaded.policy;
}

function judgeWith(policy: Policy, workspace: string, mode: ApprovalMode) {
  const tools = new Toolbox(builtInTools());
  const suppose = (call: { readonly tool: string; readonly args: object; readonly interactive: boolean }) =>
    supposeCall(
      {
        tool: call.tool,
        args: { ...call.args },
        attended: call.interactive,
        mode,
        origin: 'model',
        mcpServer: null,
        annotations: null,
        subagent: null,
      },
      { tools, workspace, classify },
    );
  return {
    check: async (call: Parameters<typeof suppose>[0]) => {
      const { decision, rule, reason } = policy.judge((await suppose(call)).subject);
      return { decision, rule, reasons: [reason], commands: [] };
    },
    explain: async (call: Parameters<typeof suppose>[0]) => {
      const { subject } = await suppose(call);
      const { verdict, trace } = policy.explain(subject);
      const { decision, rule, reason } = verdict;
      return {
        decision,
        rule,
        reasons: [reason],
        commands: [],
        policy: policy.hash,
        mode,
        interactive: call.interactive,
        tool: subject.tool,
        resources: subject.plan.resources.map((resource) => ({ ...resource })),
        trace,
      };
    },
  };
}

/** What an operation gave, where it must have succeeded. */
export function must<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.status} ${result.error.code}: ${result.error.message}`);
}

const WAIT_MS = 30_000;

/** Asks until there is something. */
export async function until<T>(look: () => Promise<T | undefined | null | false>): Promise<T> {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited ${WAIT_MS} ms in vain`);
}
