import { once } from 'node:events';
import { type RunContext } from '@countersign/engine';
import type { HostEnvironment } from '@countersign/host';
import { type Json, type JsonObject, ToolFailure } from '@countersign/protocol';
import type { Client, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Definition, Origin } from '../definitions/definition.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { inOneLine, wordsOf } from '../text/in-words.js';
import { CallClock } from './call-clock.js';
import { failureOf, wasNeverSent } from './call-failure.js';
import { type CallAnswer, callTool } from './call-tool.js';
import { type ChangedList, Connection } from './connection.js';
import { askForServer } from './elicitation.js';
import type { McpLimits } from './limits.js';
import { listPages } from './list-pages.js';
import { ListRefresh } from './list-refresh.js';
import { readDefinitions } from './read-definitions.js';
import { Reconnects } from './reconnects.js';
import { type ServerStatus, whyUnusable } from './server-status.js';

export type LinkOptions = {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly workspace: string;
  readonly env: HostEnvironment;
  readonly limits: McpLimits;
  readonly version: string;
  /** Why it may not be started or reached now, to continue after "it"; null if it may. */
  readonly doubt: () => Promise<string | null>;
  readonly onStatus: (status: ServerStatus) => void;
  /** What it offers now; empty once it is closed permanently. */
  readonly onTools: (definitions: readonly Definition[]) => void;
  readonly onChanged: (list: ChangedList) => void;
};

const LOG_LINES_MAX = 100; // the latest; a whole log belongs in a file that the server writes

/** After `close`, which is final. */
const STOPPED: ServerStatus = { state: 'failed', reason: 'was stopped' };

/** One configured server, through all its connections. */
export class ServerLink {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly #options: LinkOptions;
  readonly #limits: McpLimits;
  readonly #end = new AbortController();
  readonly #lists = new Map<'resources' | 'resourceTemplates' | 'prompts', Promise<readonly Json[]>>();
  readonly #log: string[] = [];
  readonly #running: { readonly context: RunContext; readonly clock: CallClock }[] = [];
  readonly #reconnects: Reconnects;
  readonly #toolsRefresh: ListRefresh;
  #status: ServerStatus = { state: 'connecting' };
  #connection: Connection | null = null;
  #attempt: Promise<void> = Promise.resolve();
  #isConnecting = false;
  /** Connections that were lost and are still being closed. */
  #leaving: Promise<unknown> = Promise.resolve();
  #problems: readonly string[] = [];
  #stderr = '';
  #lastLoss: string | null = null;

  constructor(options: LinkOptions) {
    this.name = options.name;
    this.settings = options.settings;
    this.#options = options;
    this.#limits = options.limits;
    this.#reconnects = new Reconnects(options.limits);
    this.#toolsRefresh = new ListRefresh(options.limits.listChangesMs, () => this.#readTools());
  }

  get status(): ServerStatus {
    return this.#end.signal.aborted ? STOPPED : this.#status;
  }

  get problems(): readonly string[] {
    const stray = this.#connection?.strayLines ?? 0;
    return stray === 0
      ? this.#problems
      : [...this.#problems, `${stray} lines of its output are not messages`];
  }

  /** What it called itself at the handshake. */
  get serverInfo(): Origin['serverInfo'] {
    const info = this.#connection?.client.getServerVersion();
    return info ? { name: inOneLine(info.name), version: inOneLine(info.version) } : null;
  }

  /** What it says of how to use it; empty while it is not connected. */
  get instructions(): string {
    return this.#connection?.client.getInstructions() ?? '';
  }

  get lastLoss(): string | null {
    return this.#lastLoss;
  }

  get log(): readonly string[] {
    return this.#log;
  }

  get stderr(): string {
    return this.#connection?.stderr ?? this.#stderr;
  }

  /** Resolves once it is connected or has failed; one that failed is tried again later. */
  start(): Promise<void> {
    this.#reconnects.cancel();
    if (this.#isConnecting) return this.#attempt;
    this.#set({ state: 'connecting' });
    return this.#try((why) => this.#failed(why));
  }

  /** Whether it said that its tools are no longer those that are known. */
  get isChanging(): boolean {
    return this.#toolsRefresh.isPending;
  }

  /** Waits until announced changes are read, or until cancelled. */
  async upToDate(cancelled: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stopped = once(cancelled, 'abort', { signal: over.signal }).catch(() => undefined);
    if (!cancelled.aborted) await Promise.race([this.#toolsRefresh.done(), stopped]);
    over.abort();
  }

  has(capability: 'resources' | 'prompts'): boolean {
    return this.#connection?.client.getServerCapabilities()?.[capability] !== undefined;
  }

  async call(tool: string, args: JsonObject, context: RunContext): Promise<CallAnswer> {
    const { callIdleMs, callTotalMs } = this.#limits;
    const idleMs = this.settings.timeoutMs ?? callIdleMs;
    const ready = this.#connection?.channelReady(context.signal) ?? null;
    if (ready) await ready;
    return this.#use(tool, (client) => {
      let clock: CallClock | null = null;
      const answer = callTool(client, {
        tool,
        args,
        context,
        clock: (onExpired) => {
          clock = new CallClock({ idleMs, totalMs: Math.max(idleMs, callTotalMs) }, onExpired);
          this.#running.push({ context, clock });
          return clock;
        },
      });
      return answer.finally(() => {
        const at = this.#running.findIndex((running) => running.clock === clock);
        if (at !== -1) this.#running.splice(at, 1);
      });
    });
  }

  /** A list that it has, read once and again after it changed. */
  list(list: 'resources' | 'resourceTemplates' | 'prompts'): Promise<readonly Json[]> {
    let listed = this.#lists.get(list);
    if (!listed) {
      listed = this.#use(`list of ${list}`, async (client) => {
        const { items } = await listPages(client, list, this.#limits.handshakeMs);
        return items;
      });
      this.#lists.set(list, listed);
      listed.catch(() => this.#lists.delete(list));
    }
    return listed;
  }

  /** Any other request; the caller checks its response. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const timeout = this.settings.timeoutMs ?? this.#limits.callIdleMs;
    return this.#use(method, (client) => client.request({ method, params }, AnyObject, { timeout, signal }));
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#reconnects.cancel();
    this.#toolsRefresh.cancel();
    const connection = this.#connection;
    this.#connection = null;
    await Promise.all([connection?.close(), this.#attempt, this.#leaving]);
    this.#options.onTools([]);
  }

  #try(onFailed: (why: string) => void): Promise<void> {
    this.#isConnecting = true;
    this.#attempt = this.#connect()
      .finally(() => {
        this.#isConnecting = false;
      })
      .catch((error: unknown) => {
        if (error instanceof NotAllowed) this.#set({ state: 'failed', reason: error.message });
        else onFailed(wordsOf(error));
      });
    return this.#attempt;
  }

  /** It did not start. Until it does it counts as failed, whatever is tried meanwhile. */
  #failed(reason: string): void {
    if (this.#end.signal.aborted) return;
    this.#reconnects.plan(() => void this.#try((why) => this.#failed(why)));
    this.#set({ state: 'failed', reason });
  }

  async #connect(): Promise<void> {
    const { settings, workspace, env, limits, version } = this.#options;
    const doubt = await this.#options.doubt();
    if (doubt !== null) throw new NotAllowed(doubt);
    const connection: Connection = await Connection.open({
      target: settings.target,
      workspace,
      env,
      limits,
      version,
      signal: this.#end.signal,
      onLost: (why) => this.#lost(connection, why),
      onChanged: (list) => this.#changed(list),
      onLog: (line) => this.#keep(line),
      elicit: (params, withdrawn) => this.#elicit(params, withdrawn),
    });
    // A close in the meantime found nothing to close.
    if (this.#end.signal.aborted) return connection.close();
    this.#connection = connection;
    try {
      await this.#readTools();
    } catch (error) {
      this.#connection = null;
      this.#stderr = connection.stderr;
      await connection.close();
      throw new Error(`did not list its tools: ${wordsOf(error)}`, { cause: error });
    }
    if (this.#connection !== connection) throw new Error('disconnected immediately after connecting');
    this.#reconnects.connected();
    this.#set({ state: 'connected' });
  }

  async #readTools(): Promise<void> {
    const connection = this.#connection;
    // What it offered stays until it is there again to say otherwise.
    if (!connection) return;
    if (connection.client.getServerCapabilities()?.tools === undefined) return this.#options.onTools([]);
    const { items, problem } = await listPages(connection.client, 'tools', this.#limits.handshakeMs);
    // A list of a lost connection is out of date.
    if (this.#connection !== connection) throw new Error('the connection was lost');
    const { definitions, problems } = readDefinitions(items, this.settings);
    this.#problems = problem === null ? problems : [...problems, problem];
    this.#options.onTools(definitions);
  }

  #changed(list: ChangedList): void {
    if (list === 'tools') this.#toolsRefresh.want();
    else {
      this.#lists.delete(list);
      if (list === 'resources') this.#lists.delete('resourceTemplates');
      this.#options.onChanged(list);
    }
  }

  #lost(connection: Connection, why: string): void {
    if (this.#connection !== connection) return;
    this.#stderr = connection.stderr;
    this.#connection = null;
    this.#lists.clear();
    this.#leaving = Promise.allSettled([this.#leaving, connection.close()]);
    // While it was still connecting, the connecting code receives the error.
    if (this.#status.state === 'connected') this.#again(why);
  }

  #again(why: string): void {
    if (this.#end.signal.aborted) return;
    const retry = () => {
      this.#set({ state: 'connecting' });
      void this.#try((reason) => this.#again(reason));
    };
    const { when, pauseMs } = this.#reconnects.plan(retry);
    const later = `${why}; it disconnected too often in a short time, so the next attempt is in ${Math.round(pauseMs / 1_000)} s`;
    this.#set(when === 'soon' ? { state: 'disconnected', reason: why } : { state: 'failed', reason: later });
  }

  /** Nothing is sent to a server that is not there, and every failure says whether it may have been carried out. */
  async #use<T>(what: string, send: (client: Client) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    const problem = whyUnusable(this.status);
    if (problem !== null || !connection)
      throw new ToolFailure({
        code: 'mcp_unavailable',
        server: this.name,
        problem: problem ?? 'it is no longer connected',
      });
    try {
      return await send(connection.client);
    } catch (error) {
      // An HTTP server that has stopped, or has dropped our session, shows in no other way.
      if (wasNeverSent(error)) this.#lost(connection, 'can no longer be reached');
      throw failureOf(error, this.name, what);
    }
  }

  /** It does not say which call it asks for: the latest is the likeliest, and without a call there is no user to ask. */
  async #elicit(params: ElicitRequestParams, withdrawn: AbortSignal): Promise<ElicitResult> {
    const call = this.#running.at(-1);
    if (!call || !('requestedSchema' in params)) return { action: 'decline' };
    const { message, requestedSchema } = params;
    const schema = AnyObject.parse(requestedSchema);
    const options = { asker: `the MCP server ${this.name}`, signal: withdrawn };
    const asking = askForServer({
      ...{ server: this.name, message, schema },
      ask: (questions) => call.context.ask(questions, options),
    }).catch(() => CANCELLED);
    const answer = await call.clock.without(asking);
    // The user did not decline what was withdrawn.
    return this.#running.includes(call) && !withdrawn.aborted ? answer : CANCELLED;
  }

  #keep(line: string): void {
    this.#log.push(line);
    if (this.#log.length > LOG_LINES_MAX) this.#log.shift();
  }

  #set(status: ServerStatus): void {
    if (this.#end.signal.aborted) return;
    const isKnown = status.state === 'failed' && this.#status.state === 'failed';
    this.#status = status;
    if ('reason' in status) this.#lastLoss = status.reason;
    // That a further attempt failed is no news.
    if (!isKnown) this.#options.onStatus(status);
  }
}

/** The user has to review the server first; trying again does not help. */
class NotAllowed extends Error {}

const CANCELLED: ElicitResult = { action: 'cancel' };

// What came over the wire was JSON.
const AnyObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null);
