import { type Tool } from '@countersign/engine';
import { isJsonList, isJsonObject } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { defineTool } from '@countersign/tools';
import { UriTemplate } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { ServerLink } from '../servers/server-link.js';
import { inOneLine } from '../text/in-words.js';
import { contentsOf } from '../tool/contents.js';

export const readMcpResource = (links: () => readonly ServerLink[]): Tool =>
  defineTool({
    name: 'read_mcp_resource',
    displayName: 'Read an MCP resource',
    description: 'Reads a resource of an MCP server by its URI, as printed by list_mcp_resources.',
    kind: 'read',
    input: () =>
      z.strictObject({
        uri: z.string().min(1).describe('The URI of the resource.'),
        serverName: z
          .string()
          .optional()
          .describe('The server. Default: the server that offers the resource.'),
      }),
    plan: async ({ uri, serverName }) => {
      const { name, settings } = await ownerOf(uri, named(links(), serverName));
      return {
        title: `Read ${inOneLine(uri)} of the MCP server ${name}`,
        resources: [{ kind: 'mcp', server: name, tool: 'resources/read', access: 'read' }],
        repeat: 'safe',
        // A server can do anything when it is read from.
        byDefault: settings.trust ? 'allow' : 'ask_user',
      };
    },
    run: async ({ uri }, { plan, signal }) => {
      // The server that was judged, and no other that might offer the same address meanwhile.
      const granted = plan.resources.find((resource) => resource.kind === 'mcp')?.server;
      const link = links().find(({ name }) => name === granted);
      if (!link)
        throw new ToolFailure({
          code: 'mcp_unavailable',
          server: granted ?? '',
          problem: 'it is no longer connected',
        });
      const { contents } = await link.ask('resources/read', { uri }, signal);
      const held = isJsonList(contents) ? contents.filter(isJsonObject) : [];
      const { llmContent, display } = contentsOf(held.map((resource) => ({ type: 'resource', resource })));
      return { llmContent, returnDisplay: display };
    },
  });

const named = (links: readonly ServerLink[], server: string | undefined): readonly ServerLink[] =>
  server === undefined ? links : links.filter(({ name }) => name === server);

/** The server that lists it, else one whose template it fits, else the only server. */
async function ownerOf(uri: string, links: readonly ServerLink[]): Promise<ServerLink> {
  const withResources = links.filter((link) => link.has('resources'));
  const fits = async (link: ServerLink, list: 'resources' | 'resourceTemplates') => {
    const listed = await link.list(list).catch(() => []);
    return listed.some((each) => {
      if (!isJsonObject(each)) return false;
      return list === 'resources' ? each['uri'] === uri : fitsTemplate(uri, each['uriTemplate']);
    });
  };
  for (const list of ['resources', 'resourceTemplates'] as const) {
    const found = await Promise.all(
      withResources.map(async (link) => ((await fits(link, list)) ? [link] : [])),
    );
    const [owner] = found.flat();
    if (owner) return owner;
  }
  const [only, another] = withResources;
  if (only && !another) return only;
  throw new ToolFailure({
    code: 'unknown_resource',
    uri: inOneLine(uri),
    servers: withResources.map(({ name }) => name),
  });
}

function fitsTemplate(uri: string, template: unknown): boolean {
  if (typeof template !== 'string') return false;
  try {
    return new UriTemplate(template).match(uri) !== null;
  } catch {
    return false;
  }
}
