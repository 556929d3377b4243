import { readSession } from '@countersign/attach';
import type { Journal, Toolbox } from '@countersign/engine';
import type {
  McpClientManager,
  Mention,
  PromptCommand,
  PromptCommands,
  SaidPrompt,
  ServerOffers,
  ServerReport,
} from '@countersign/mcp';
import { isSettled, type JsonObject } from '@countersign/protocol';
import { VERSION } from '../io/version.js';

export type ServerPlace = {
  readonly toolbox: Toolbox;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where consents are stored; null for none. */
  readonly storeDirectory: string | null;
  readonly doubt: (server: string) => Promise<string | null>;
  /** Receives a message if a server cannot be used. */
  readonly onMessage: (text: string) => void;
};

/** A server with everything that it offers. */
export type SeenServer = ServerReport & ServerOffers;

/** Which servers a session has. */
export type ServersRequest = {
  /** From the settings, with environment variables substituted. */
  readonly configured: JsonObject;
  /** From the client that opens the session, unchanged. */
  readonly given: JsonObject;
};

/** Timeout for servers that a call or a resumed session needs, as long as a handshake may take (`handshakeMs`). */
const WANTED_MS = 60_000;
/** Timeout for tools before the first request to a model; later requests include late tools. */
const FIRST_REQUEST_MS = 5_000;
/** Timeout for the prompts and resources of a server; a late list is omitted. */
const OFFERS_MS = 3_000;
const NO_OFFERS: ServerOffers = { prompts: [], resources: [] };

/**
 * The MCP servers of one session, which shares them with no other: what a server remembers, asks and may see (its
 * roots) belongs to that session. The opener of the session starts them, and closes them after closing the session.
 */
export class SessionServers {
  readonly #request: ServersRequest;
  readonly #place: ServerPlace;
  readonly #onTools = new Set<() => void>();
  readonly #onPrompts = new Set<() => void>();
  readonly #waiting = new Set<() => void>();
  #starting: Promise<McpClientManager> | null = null;
  #manager: McpClientManager | null = null;
  #prompts: PromptCommands | null = null;
  #waitedForModel: Promise<boolean> | null = null;
  #isClosed = false;

  constructor(request: ServersRequest, place: ServerPlace) {
    this.#request = request;
    this.#place = place;
  }

  /** Starts all of them at once; returns before any has answered. */
  start(): void {
    if (this.#isClosed) return;
    this.#starting ??= this.#start();
    // `ready` reports the failure.
    this.#starting.catch(() => undefined);
  }

  /** Waits for the servers of open calls, which are planned again when their session is resumed. */
  async readyForOpenCalls(journal: Journal, sessionId: string): Promise<void> {
    const known = await journal.session(sessionId);
    if (!known || known.seq === 0 || known.owner !== null) return;
    const session = await readSession(journal, sessionId);
    const open = [...session.calls.values()].filter((call) => !isSettled(call));
    await this.readyFor(open.map(({ request }) => request.name));
  }

  /** Waits for the servers of missing tools only. */
  async readyFor(names: readonly (string | undefined)[]): Promise<void> {
    const missing = () => names.filter((name) => name !== undefined && isOfServer(name) && !this.#has(name));
    if (missing().length === 0) return;
    let look = () => {};
    const areThere = new Promise<void>((resolve) => {
      look = () => {
        if (missing().length === 0) resolve();
      };
    });
    this.#waiting.add(look);
    await Promise.race([areThere, this.ready(WANTED_MS)]);
    this.#waiting.delete(look);
  }

  /** Waits once, before the first request to a model; later requests include late tools. */
  readonly readyForModel = async (): Promise<void> => {
    this.#waitedForModel ??= this.ready(FIRST_REQUEST_MS);
    await this.#waitedForModel;
  };

  /** Whether each is connected or has failed by then. */
  async ready(timeoutMs: number): Promise<boolean> {
    this.start();
    const manager = await this.#starting;
    return manager?.ready(timeoutMs) ?? true;
  }

  /** Returns how to stop listening. */
  onToolsChanged(changed: () => void): () => void {
    this.#onTools.add(changed);
    return () => this.#onTools.delete(changed);
  }

  /** Their prompts, as something to type after a slash. */
  promptCommands(): readonly PromptCommand[] {
    return this.#prompts?.list() ?? [];
  }

  /** Returns how to stop listening. */
  onPromptsChanged(changed: () => void): () => void {
    this.#onPrompts.add(changed);
    return () => this.#onPrompts.delete(changed);
  }

  /** Waits for servers that are still starting if the prompt is not known. */
  async expandPrompt(name: string, typed: string, signal: AbortSignal): Promise<SaidPrompt> {
    if (!this.#prompts?.has(name)) await this.ready(FIRST_REQUEST_MS);
    return (await this.#prompts?.say(name, typed, signal)) ?? { type: 'unknown' };
  }

  /** What they say of how to use them, for a model. */
  readonly instructions = (): string => this.#manager?.instructions() ?? '';

  /** The status of each server, with its prompts and resources. */
  async inspect(): Promise<readonly SeenServer[]> {
    const manager = this.#manager;
    if (!manager) return [];
    return Promise.all(
      manager.status().map(async (report) => ({
        ...report,
        ...((await manager.offersOf(report.name, OFFERS_MS)) ?? NO_OFFERS),
      })),
    );
  }

  readonly resourceFor = (mention: string): Mention | null => this.#manager?.resourceFor(mention) ?? null;

  /** Ends all servers and their processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#prompts?.close();
    await (await this.#starting)?.close();
  }

  async #start(): Promise<McpClientManager> {
    const { McpClientManager: Manager, PromptCommands: Prompts } = await import('@countersign/mcp');
    const { configured, given } = this.#request;
    const manager = new Manager({ ...this.#place, version: VERSION });
    this.#manager = manager;
    this.#prompts = new Prompts(manager);
    this.#prompts.onChanged(() => {
      for (const changed of this.#onPrompts) changed();
    });
    manager.listen({
      onStatus: (server, status) => {
        if (status.state === 'failed') this.#report(server, status.reason);
        if (status.state === 'connected') for (const look of this.#waiting) look();
      },
      onChanged: (_, list) => {
        if (list === 'tools') for (const changed of this.#onTools) changed();
      },
    });
    void manager.connectToServers(given, {});
    void manager.connectToServers(configured);
    for (const { name, status } of manager.status())
      if (status.state === 'failed') this.#report(name, status.reason);
    return manager;
  }

  #has(name: string): boolean {
    return this.#place.toolbox.get(name) !== undefined;
  }

  #report(server: string, reason: string): void {
    this.#place.onMessage(`The MCP server "${server}" ${reason}`);
  }
}

const RESOURCE_TOOLS: readonly string[] = ['list_mcp_resources', 'read_mcp_resource'];
export const isOfServer = (name: string): boolean => name.startsWith('mcp_') || RESOURCE_TOOLS.includes(name);
