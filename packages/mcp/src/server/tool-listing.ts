import type { Tool as OurTool } from '@countersign/engine';
import type { Kind } from '@countersign/protocol';
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { GovernedSession } from './governed-session.js';

/** What another agent may call now. What policy denies whatever the arguments is not worth its attention. */
export function toolListing({ tools, policy, session }: GovernedSession): Tool[] {
  return tools
    .all()
    .filter(({ name, mcpServer = null }) => !policy.deniesOutright(name, session.mode, mcpServer))
    .map(described);
}

const described = ({ name, displayName, description, inputSchema, kind }: OurTool): Tool => ({
  name,
  title: displayName,
  description,
  inputSchema: { ...inputSchema, type: 'object' },
  annotations: { title: displayName, ...HINTS[kind] },
});

const LOOKS: ToolAnnotations = { readOnlyHint: true };
const CHANGES_FILES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
const DOES_ANYTHING: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

/** Hints for clients. Only what holds for every tool of a kind; an omitted hint counts as the worse case. */
const HINTS: { readonly [K in Kind]: ToolAnnotations } = {
  read: LOOKS,
  search: LOOKS,
  fetch: { ...LOOKS, openWorldHint: true },
  think: { ...LOOKS, openWorldHint: false },
  communicate: { ...LOOKS, openWorldHint: false },
  plan: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  edit: CHANGES_FILES,
  delete: CHANGES_FILES,
  move: CHANGES_FILES,
  execute: DOES_ANYTHING,
  other: DOES_ANYTHING,
};
