import { isOfServer, type SessionServers } from '../compose/session-servers.js';

/** The server whose tool a call names, as far as the settings can say it. */
export type NamedServer = {
  /** null: the tool is for resources of all servers. */
  readonly server: string | null;
  /** What the verdict does not include. */
  readonly unknown: string;
};

/** MCP servers of the settings, of which a verdict on a call may need the descriptions of their tools. */
export class ServersAsked {
  readonly #names: readonly string[];
  readonly #started: SessionServers | null;
  readonly #way: string;

  constructor(
    names: readonly string[],
    started: SessionServers | null,
    servers: 'started if needed' | 'not started' | 'never',
  ) {
    this.#names = names;
    this.#started = started;
    this.#way = servers === 'not started' ? ' Use --connect to start it and ask.' : '';
  }

  /** Starts them if the tool could be one of theirs, and waits for them. */
  async readyFor(tool: string): Promise<void> {
    if (isOfServer(tool)) await this.#started?.readyFor([tool]);
  }

  /** null if the tool is of no configured server, or servers were asked and do not have it. */
  async serverOf(tool: string, named: string | null): Promise<NamedServer | null> {
    if (this.#started || this.#names.length === 0 || (named === null && !isOfServer(tool))) return null;
    const server = named ?? (await this.#serverIn(tool));
    if (server === null && tool.startsWith('mcp_')) return null;
    if (server !== null && !this.#names.includes(server)) return null;
    const which = server === null ? 'No MCP server was asked' : `The MCP server "${server}" was not asked`;
    return {
      server,
      unknown: `Not known: ${which}, so this is what the rules say without its description of the tool and the consent to it.${this.#way}`,
    };
  }

  async close(): Promise<void> {
    await this.#started?.close();
  }

  async #serverIn(tool: string): Promise<string | null> {
    const { serverOf } = await import('@countersign/mcp');
    return serverOf(tool, this.#names);
  }
}
