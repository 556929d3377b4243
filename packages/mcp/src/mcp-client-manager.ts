import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nearest, type Tool, type Toolbox } from '@countersign/engine';
import { commandEnvironment, type HostEnvironment, isJsonObject } from '@countersign/host';
import type { Failure, Json, JsonObject } from '@countersign/protocol';
import type { Definition } from './definitions/definition.js';
import { PinnedDefinitions } from './definitions/pinned-definitions.js';
import { type McpPrompt, type PromptMessages, readPrompt, readPrompts } from './prompts/read-prompts.js';
import { listMcpResources } from './resources/list-mcp-resources.js';
import { type Mention, resourceFor } from './resources/mention.js';
import { readMcpResource } from './resources/read-mcp-resource.js';
import type { ChangedList } from './servers/connection.js';
import { DEFAULT_MCP_LIMITS, type McpLimits } from './servers/limits.js';
import { instructionsText } from './servers/server-instructions.js';
import { ServerLink } from './servers/server-link.js';
import {
  type ServerOffers,
  type ServerReport,
  type ServerStatus,
  whyUnusable,
} from './servers/server-status.js';
import { readServerSettings, type ServerTarget } from './settings/server-settings.js';
import { textIn } from './text/text-in.js';
import { DiscoveredMCPTool } from './tool/discovered-mcp-tool.js';
import { serverOf, toolName } from './tool/tool-name.js';

/** Where tools are registered: a `Toolbox`, or what stands for several. `all` lists a registered tool as the very same object. */
export type ToolPlace = Pick<Toolbox, 'register' | 'unregister' | 'explainMissing'> & {
  all(): readonly { readonly name: string }[];
};

export type McpOptions = {
  /** Where the tools of the servers are registered, and taken out again. */
  readonly toolbox: ToolPlace;
  /** The workspace directory, with every symlink resolved. */
  readonly workspace: string;
  /** The host's environment: for variables in the settings, and less its secrets for the servers. */
  readonly env: HostEnvironment;
  /** A directory of the user's own, for what tools were agreed to as; null: nothing is kept. */
  readonly storeDirectory: string | null;
  readonly version: string;
  /** Asked before a server is started or reached, each time: why it may not be, to continue after "it"; null if it may. */
  readonly doubt?: (server: string) => Promise<string | null>;
  readonly limits?: Partial<McpLimits>;
};

export type McpListener = {
  readonly onStatus?: (server: string, status: ServerStatus) => void;
  /** The tools, resources or prompts of a server are not what they were. */
  readonly onChanged?: (server: string, list: ChangedList) => void;
};

/** A server of the settings: its connection, or why there can be none. */
type Entry = { readonly notes: readonly string[] } & (
  | { readonly link: ServerLink; readonly where: string; readonly offered: Map<string, DiscoveredMCPTool> }
  | { readonly problem: string }
);

const ENGINE_MARGIN_MS = 10_000; // the engine's own limit must not come first

/** All MCP servers of a program: it owns their connections and offers their tools. */
export class McpClientManager {
  readonly #options: McpOptions;
  readonly #limits: McpLimits;
  readonly #pins: PinnedDefinitions;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<McpListener>();
  readonly #clashes = new Map<string, string[]>();
  #connecting: Promise<unknown> = Promise.resolve();
  readonly #stopExplaining: () => void;
  #isClosed = false;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_MCP_LIMITS, ...options.limits };
    const { storeDirectory } = options;
    this.#pins = new PinnedDefinitions(storeDirectory && join(storeDirectory, 'mcp-definitions.json'));
    this.#stopExplaining = options.toolbox.explainMissing((name) => this.#missing(name));
  }

  /**
   * Starts all servers of `mcpServers` at once, and resolves when each is
   * connected or has failed. It never rejects: `status`
   * reports the result of each. A server that is known already stays as it is. `variables` are put into the settings: omitted, those of
   * the host.
   */
  async connectToServers(servers: JsonObject, variables = this.#options.env): Promise<void> {
    // Nobody would end a server that was started after the end.
    if (this.#isClosed) return;
    const added: ServerLink[] = [];
    for (const [name, settings] of Object.entries(servers)) {
      if (this.#entries.has(name)) continue;
      const entry = this.#entryFor(name, settings, variables);
      this.#entries.set(name, entry);
      if ('link' in entry) added.push(entry.link);
    }
    const { toolbox } = this.#options;
    if (added.length > 0) for (const tool of this.#resourceTools()) toolbox.register(tool);
    const connecting = Promise.all([this.#connecting, ...added.map((link) => link.start())]);
    this.#connecting = connecting;
    await connecting;
  }

  /** Whether no server is being connected for the first time, waiting for that at most so long. */
  async ready(timeoutMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const isReady = await Promise.race([this.#connecting.then(() => true), late]);
    clearTimeout(timer);
    return isReady;
  }

  /** Connect a server again, whatever became of it. */
  async reconnect(server: string): Promise<void> {
    const entry = this.#entries.get(server);
    if (entry && 'link' in entry && entry.link.status.state !== 'connected') await entry.link.start();
  }

  /** Ends the connection to a server and forgets it: its tools are taken out, and it may be connected to with other settings. */
  async disconnect(server: string): Promise<void> {
    const entry = this.#entries.get(server);
    if (entry && 'link' in entry) await entry.link.close();
    if (this.#entries.get(server) === entry) this.#entries.delete(server);
    this.#clashes.delete(server);
  }

  status(): readonly ServerReport[] {
    return [...this.#entries].map(([name, entry]) => reportOf(name, entry, this.#clashes.get(name) ?? []));
  }

  /** Returns how to stop listening. */
  listen(listener: McpListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Which resource of which server `@server:uri` means; null if it names no server. */
  resourceFor(mention: string): Mention | null {
    return resourceFor(mention, this.#entries.keys());
  }

  /** What connected servers say of how to use them, for a model; empty if they say nothing. */
  instructions(): string {
    return instructionsText(
      this.#links().map(({ name, instructions }) => ({ server: name, text: instructions })),
    );
  }

  /** What one of them says of it, in its own words. */
  instructionsOf(server: string): string {
    return this.#links().find(({ name }) => name === server)?.instructions ?? '';
  }

  /** What the servers offer as prompts. One that does not answer has none. */
  async prompts(): Promise<readonly McpPrompt[]> {
    const listed = await Promise.all(this.#links().map((link) => readPrompts(link).catch(() => [])));
    return listed.flat();
  }

  /** Those of one server, of which there are none while it is not connected. Throws a `ToolFailure`. */
  async promptsOf(server: string): Promise<readonly McpPrompt[]> {
    const link = this.#links().find(({ name }) => name === server);
    return link ? readPrompts(link) : [];
  }

  /** What one has besides tools, as far as it says so in time. */
  async offersOf(server: string, timeoutMs: number): Promise<ServerOffers> {
    const link = this.#links().find(({ name }) => name === server);
    const none: readonly Json[] = [];
    const list = async (of: 'prompts' | 'resources') =>
      link?.has(of) ? inTime(link.list(of), timeoutMs).catch(() => none) : none;
    const [prompts, resources] = await Promise.all([list('prompts'), list('resources')]);
    return { prompts: textsOf(prompts, 'name'), resources: textsOf(resources, 'uri') };
  }

  /** Throws a `ToolFailure`. */
  getPrompt(
    server: string,
    name: string,
    args: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<PromptMessages> {
    return readPrompt(this.#links(), { server, name, args, signal });
  }

  /** Ends every connection and every server that was started, and takes their tools out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#links().map((link) => link.close()));
    for (const { name } of this.#resourceTools()) this.#options.toolbox.unregister(name);
    this.#stopExplaining();
    this.#entries.clear();
    this.#listeners.clear();
  }

  #links(): readonly ServerLink[] {
    return [...this.#entries.values()].flatMap((entry) => ('link' in entry ? entry.link : []));
  }

  /** A name that belongs to a server is none of another's, and a server that is not there has the reason. */
  #missing(name: string): Failure | null {
    const server = serverOf(name, this.#entries.keys());
    const entry = server === null ? undefined : this.#entries.get(server);
    if (server === null || !entry) return null;
    const { status, tools } = reportOf(server, entry, []);
    const problem = whyUnusable(status);
    if (problem !== null) return { code: 'mcp_unavailable', server, problem };
    return { code: 'tool_not_registered', name, nearest: nearest(name, tools) };
  }

  #resourceTools(): readonly Tool[] {
    const links = () => this.#links();
    return [listMcpResources(links), readMcpResource(links)];
  }

  #entryFor(name: string, given: Json, variables: HostEnvironment): Entry {
    const { workspace, env, version, doubt } = this.#options;
    const read = readServerSettings(given, variables);
    if (!read.ok) return read;
    const { settings, notes } = read;
    const offered = new Map<string, DiscoveredMCPTool>();
    const where = whereIs(given, settings.target, variables);
    const link: ServerLink = new ServerLink({
      ...{ name, settings, workspace, env, version },
      limits: this.#limits,
      doubt: async () => (await doubt?.(name)) ?? null,
      onStatus: (status) => this.#notify(({ onStatus }) => onStatus?.(name, status)),
      onTools: (definitions) => this.#offer({ link, where, offered, notes }, definitions),
      onChanged: (list) => this.#notify(({ onChanged }) => onChanged?.(name, list)),
    });
    return { link, where, offered, notes };
  }

  /** Makes the registered tools of a server those that it offers now. One that is as it was stays the very same. */
  #offer(
    { link, where, offered }: Extract<Entry, { link: unknown }>,
    definitions: readonly Definition[],
  ): void {
    const { toolbox } = this.#options;
    const origin = { where, serverInfo: link.serverInfo };
    const before = new Map(offered);
    const clashes: string[] = [];
    offered.clear();
    for (const definition of definitions) {
      const name = toolName(link.name, definition.name, this.#entries.keys());
      const made = new DiscoveredMCPTool({
        ...{ name, definition, link, origin, pins: this.#pins },
        timeoutMs: Math.max(link.settings.timeoutMs ?? 0, this.#limits.callTotalMs) + ENGINE_MARGIN_MS,
        current: () => offered.get(name) ?? null,
      });
      const known = before.get(name);
      const tool = known?.definition === made.definition ? known : made;
      const holder = toolbox.all().find((each) => each.name === name);
      if (offered.has(name) || (holder && holder !== known))
        clashes.push(`another tool already has the name ${name}`);
      else {
        offered.set(name, tool);
        if (tool !== known) toolbox.register(tool);
      }
    }
    this.#clashes.set(link.name, clashes);
    for (const name of before.keys()) if (!offered.has(name)) toolbox.unregister(name);
    this.#notify(({ onChanged }) => onChanged?.(link.name, 'tools'));
  }

  #notify(notify: (listener: McpListener) => void): void {
    for (const listener of this.#listeners) notify(listener);
  }
}

function reportOf(name: string, entry: Entry, clashes: readonly string[]): ServerReport {
  if ('problem' in entry) {
    const status = { state: 'failed', reason: `cannot be used: ${entry.problem}` } as const;
    return {
      name,
      status,
      description: '',
      trust: false,
      transport: null,
      tools: [],
      lastLoss: status.reason,
      problems: entry.notes,
      log: [],
      stderr: '',
    };
  }
  const { link, offered, notes } = entry;
  const { description, trust, target } = link.settings;
  return {
    ...{ name, description, trust, transport: target.transport },
    status: link.status,
    tools: [...offered.keys()],
    lastLoss: link.lastLoss,
    problems: [...notes, ...link.problems, ...clashes],
    log: [...link.log],
    stderr: link.stderr,
  };
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('too late');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

const textsOf = (list: readonly Json[], key: string): readonly string[] =>
  list.flatMap((each) => (isJsonObject(each) ? textIn(each, key) || [] : []));

/**
 * What is started or connected to. A variable that names another program makes another server of it; one that may hold
 * a secret stays as it is written, as does what is asked of an address.
 */
function whereIs(given: Json, expanded: ServerTarget, variables: HostEnvironment): string {
  const withoutSecrets = targetWith(
    given,
    commandEnvironment(variables, { tag: '', directory: '', pass: [] }),
  );
  const target = withoutSecrets ?? expanded;
  if (target.transport === 'stdio') {
    const { command, args, cwd } = target;
    return `${JSON.stringify([command, ...args])}${cwd === null ? '' : ` in ${cwd}`}`;
  }
  const written = targetWith(given, {});
  const { origin, pathname } = target.url;
  // A URL that is invalid without its secrets is shortened to its origin, which holds none.
  if (!withoutSecrets) return origin;
  return `${origin}${pathname}${written && 'url' in written ? written.url.search : ''}`;
}

function targetWith(given: Json, variables: HostEnvironment): ServerTarget | null {
  const read = readServerSettings(given, variables);
  return read.ok ? read.settings.target : null;
}
