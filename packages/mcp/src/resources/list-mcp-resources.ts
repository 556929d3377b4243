import { type Tool } from '@countersign/engine';
import { isJsonObject } from '@countersign/host';
import { type Json, ToolFailure } from '@countersign/protocol';
import { defineTool, stripInvisible, UNTRUSTED_NOTE, untrusted } from '@countersign/tools';
import * as z from 'zod';
import type { ServerLink } from '../servers/server-link.js';
import { inOneLine } from '../text/in-words.js';
import { textIn } from '../text/text-in.js';

export const listMcpResources = (links: () => readonly ServerLink[]): Tool =>
  defineTool({
    name: 'list_mcp_resources',
    displayName: 'List MCP resources',
    description: 'Lists the resources that MCP servers offer, with their URIs for read_mcp_resource.',
    kind: 'search',
    input: () =>
      z.strictObject({
        serverName: z
          .string()
          .optional()
          .describe('Only the resources of this server. Default: all servers.'),
      }),
    plan: ({ serverName }) => {
      const asked = askedOf(links(), serverName);
      return {
        title: `List the resources of ${serverName ?? 'all MCP servers'}`,
        resources: asked.map(({ name }) => ({
          kind: 'mcp',
          server: name,
          tool: 'resources/list',
          access: 'read',
        })),
        repeat: 'safe',
        byDefault: asked.every(({ settings }) => settings.trust) ? 'allow' : 'ask_user',
      };
    },
    run: async ({ serverName }) => {
      const asked = askedOf(links(), serverName);
      const sections = await Promise.all(asked.map(sectionOf));
      if (sections.length === 0) return both('No MCP server that is connected has resources.');
      const listing = sections.join('\n\n');
      return {
        llmContent: `${UNTRUSTED_NOTE}\n\n${untrusted(stripInvisible(listing))}`,
        returnDisplay: listing,
      };
    },
  });

const both = (text: string) => ({ llmContent: text, returnDisplay: text });

function askedOf(links: readonly ServerLink[], name: string | undefined): readonly ServerLink[] {
  const withResources = links.filter((link) => link.has('resources'));
  if (name === undefined) return withResources;
  const link = withResources.find((each) => each.name === name);
  if (link) return [link];
  const problem = links.some((each) => each.name === name)
    ? 'it has no resources, or is not connected'
    : `there is no server of that name. Servers with resources: ${withResources.map((each) => each.name).join(', ') || '(none)'}`;
  throw new ToolFailure({ code: 'mcp_unavailable', server: name, problem });
}

/** The failure of one server is listed, and hides no other. */
async function sectionOf(link: ServerLink): Promise<string> {
  try {
    const listed = await link.list('resources');
    const templates = await link.list('resourceTemplates').catch(() => []);
    const lines = [
      ...listed.map((each) => lineOf(each, 'uri')),
      ...templates.map((each) => lineOf(each, 'uriTemplate')),
    ];
    return [`${link.name}:`, ...(lines.length === 0 ? ['(none)'] : lines)].join('\n');
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return `${link.name}: could not be reached (${error.failure.code})`;
  }
}

function lineOf(resource: Json, key: 'uri' | 'uriTemplate'): string {
  if (!isJsonObject(resource)) return '- (an entry that is not a resource)';
  const about = [textIn(resource, 'title') || textIn(resource, 'name'), textIn(resource, 'mimeType')];
  const description = textIn(resource, 'description');
  return `- ${inOneLine(textIn(resource, key))} (${about.filter(Boolean).join(', ')})${description && `: ${inOneLine(description)}`}`;
}
