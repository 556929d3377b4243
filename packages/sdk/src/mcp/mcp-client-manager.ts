import type { EventEmitter } from 'node:events';
import type { ServerReport, McpClientManager as Servers } from '@countersign/mcp';
import type { Config } from '../config/config.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { MCPDiscoveryState, type MCPServerConfig, MCPServerStatus } from '../types/mcp-types.js';
import { registeredTools } from './registered-tools.js';

/**
 * What `McpClientManager` may be given besides a registry and a configuration.
 *
 * @example
 * ```ts
 * const options: McpClientManagerOptions = { storeDirectory: '/home/me/.my-agent' };
 * ```
 */
export type McpClientManagerOptions = {
  /** Where approved descriptions of tools are kept, so that a changed one asks again after a restart; in memory only if omitted. */
  readonly storeDirectory?: string | undefined;
  /** How the program introduces itself to servers. */
  readonly clientVersion?: string | undefined;
};

/**
 * One MCP server of a manager.
 *
 * @example
 * ```ts
 * const statusOf = (client: McpClient) => client.getStatus();
 * ```
 */
export type McpClient = {
  getServerName(): string;
  getServerConfig(): MCPServerConfig;
  getStatus(): MCPServerStatus;
  /** What the server says of how to use it; empty if nothing. It is foreign text. */
  getInstructions(): string;
};

/**
 * The MCP servers of a program: it starts them, registers their tools as `DiscoveredMCPTool`, keeps both up to date, and ends
 * them. What goes wrong with a server never throws: `getLastError` says it, and so does every call of its tools.
 *
 * @example
 * ```ts
 * const config = new Config({ mcpServers: { files: { command: 'my-server', args: ['--stdio'] } } });
 * const registry = new ToolRegistry(config);
 * const manager = new McpClientManager(registry, config);
 * await manager.startConfiguredMcpServers();
 * show(registry.getToolsByServer('files').map(({ name }) => name), manager.getLastError('files'));
 * await manager.stop();
 * ```
 */
export class McpClientManager {
  readonly #registry: ToolRegistry;
  readonly #config: Config;
  readonly #events: EventEmitter | undefined;
  readonly #options: McpClientManagerOptions;
  readonly #clients = new Map<string, McpClient>();
  readonly #blocked = new Set<string>();
  /** The latest work on each server: one thing after another. */
  readonly #work = new Map<string, Promise<void>>();
  #starting: Promise<Servers> | null = null;
  #servers: Servers | null = null;
  #discoveries = 0;
  #discoveryState: MCPDiscoveryState = MCPDiscoveryState.NOT_STARTED;

  /** `eventEmitter` gets `mcp-client-update` with the clients by name, whenever a server or its tools changed. */
  constructor(
    toolRegistry: ToolRegistry,
    config: Config,
    eventEmitter?: EventEmitter,
    options: McpClientManagerOptions = {},
  ) {
    this.#registry = toolRegistry;
    this.#config = config;
    this.#events = eventEmitter;
    this.#options = options;
  }

  /** Starts every server of the configuration at once, again if it is running; resolves when each is connected or has failed. */
  async startConfiguredMcpServers(): Promise<void> {
    const servers = Object.entries(this.#config.getMcpServers());
    await Promise.all(servers.map(([name, settings]) => this.maybeDiscoverMcpServer(name, settings)));
  }

  /** Starts one server and registers its tools, unless the configuration blocks it. One of that name is ended first. */
  async maybeDiscoverMcpServer(name: string, settings: MCPServerConfig): Promise<void> {
    if (!this.#isAllowed(name)) {
      this.#blocked.add(name);
      return;
    }
    this.#blocked.delete(name);
    this.#discoveries += 1;
    this.#discoveryState = MCPDiscoveryState.IN_PROGRESS;
    this.#clients.set(name, this.#clientOf(name, settings));
    this.#notify();
    const servers = this.#open();
    const before = this.#work.get(name) ?? Promise.resolve();
    const work = before.then(async () => {
      const opened = await servers;
      await opened.disconnect(name);
      await opened.connectToServers({ [name]: settings });
    });
    this.#work.set(name, work);
    try {
      await work;
    } finally {
      this.#discoveries -= 1;
      if (this.#discoveries === 0) this.#discoveryState = MCPDiscoveryState.COMPLETED;
      if (this.#work.get(name) === work) this.#work.delete(name);
      this.#notify();
    }
  }

  /** Ends every server and starts it again. */
  async restart(): Promise<void> {
    await Promise.all([...this.#clients.keys()].map((name) => this.restartServer(name)));
  }

  /** Ends a server and starts it again. Throws if there is none of that name. */
  async restartServer(name: string): Promise<void> {
    const client = this.#clients.get(name);
    if (!client) throw new Error(`There is no MCP server "${name}". Start it first.`);
    await this.maybeDiscoverMcpServer(name, client.getServerConfig());
  }

  /** Ends every server and takes its tools out of the registry. The manager may be started again. */
  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = null;
    this.#servers = null;
    this.#clients.clear();
    const servers = await starting?.catch(() => null);
    await servers?.close();
    this.#notify();
  }

  getClient(serverName: string): McpClient | undefined {
    return this.#clients.get(serverName);
  }

  /** The settings of every server that was started. */
  getMcpServers(): { readonly [name: string]: MCPServerConfig } {
    return Object.fromEntries([...this.#clients].map(([name, client]) => [name, client.getServerConfig()]));
  }

  getMcpServerCount(): number {
    return this.#clients.size;
  }

  /** Those that were not started because the configuration blocks them. */
  getBlockedMcpServers(): readonly { readonly name: string }[] {
    return [...this.#blocked].map((name) => ({ name }));
  }

  /** What the servers say of how to use them, as text for a model that marks it as theirs; empty if they say nothing. */
  getMcpInstructions(): string {
    return this.#servers?.instructions() ?? '';
  }

  getDiscoveryState(): MCPDiscoveryState {
    return this.#discoveryState;
  }

  /** Why a server could last not be used, in a sentence; undefined if it always could. */
  getLastError(serverName: string): string | undefined {
    const loss = this.#reportOf(serverName)?.lastLoss ?? null;
    return loss === null ? undefined : `The MCP server "${serverName}" ${loss}`;
  }

  #isAllowed(name: string): boolean {
    const allowed = this.#config.getAllowedMcpServers();
    if (this.#config.getBlockedMcpServers().includes(name)) return false;
    return allowed.length === 0 || allowed.includes(name);
  }

  #open(): Promise<Servers> {
    if (this.#starting) return this.#starting;
    const starting = this.#make();
    this.#starting = starting;
    const keep = (servers: Servers) => {
      if (this.#starting === starting) this.#servers = servers;
    };
    // Every caller of this method gets the error.
    starting.then(keep, () => undefined);
    return starting;
  }

  /** Loaded at the first server: most programs have none. */
  async #make(): Promise<Servers> {
    const { McpClientManager: Manager } = await import('@countersign/mcp');
    const { storeDirectory = null, clientVersion = '0.1.0' } = this.#options;
    const servers = new Manager({
      toolbox: registeredTools(this.#registry, this.#config),
      workspace: this.#config.getTargetDir(),
      env: process.env,
      storeDirectory,
      version: clientVersion,
    });
    servers.listen({ onStatus: () => this.#notify(), onChanged: () => this.#notify() });
    return servers;
  }

  #clientOf(name: string, settings: MCPServerConfig): McpClient {
    return {
      getServerName: () => name,
      getServerConfig: () => settings,
      getStatus: () => this.#statusOf(name),
      getInstructions: () => this.#servers?.instructionsOf(name) ?? '',
    };
  }

  #statusOf(name: string): MCPServerStatus {
    const report = this.#reportOf(name);
    if (report) return statusIn(report);
    return this.#work.has(name) ? MCPServerStatus.CONNECTING : MCPServerStatus.DISCONNECTED;
  }

  #reportOf(name: string): ServerReport | undefined {
    return this.#servers?.status().find((report) => report.name === name);
  }

  /** A listener that throws harms no server. */
  #notify(): void {
    try {
      this.#events?.emit('mcp-client-update', new Map(this.#clients));
    } catch (error) {
      process.emitWarning(`A listener for mcp-client-update threw: ${String(error)}`);
    }
  }
}

function statusIn({ status }: ServerReport): MCPServerStatus {
  switch (status.state) {
    case 'connected':
      return MCPServerStatus.CONNECTED;
    case 'connecting':
      return MCPServerStatus.CONNECTING;
    case 'disconnected':
    case 'failed':
      return MCPServerStatus.DISCONNECTED;
  }
}
