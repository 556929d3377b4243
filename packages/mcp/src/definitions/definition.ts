import { hash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@countersign/protocol';

/** What a server says of a tool: what a person agrees to when they agree to it. */
export type Definition = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: JsonObject;
};

/** Whose tool it is: the same description of another program, or of another version of it, is another tool. */
export type Origin = {
  /** What is started or connected to. */
  readonly where: string;
  /** What the server calls itself; null if it does not say. */
  readonly serverInfo: { readonly name: string; readonly version: string } | null;
};

export const definitionHash = (definition: Definition, { where, serverInfo }: Origin): string =>
  hash('sha256', canonicalJson([definition, where, serverInfo]));

/** As consent was recorded before it was bound to `serverInfo`. */
export const unboundHash = (definition: Definition, { where }: Origin): string =>
  hash('sha256', canonicalJson([definition, where]));

/** What differs between two texts of `definitionText`, in words; empty if they cannot be compared. */
export function changesBetween(before: string, now: string): readonly string[] {
  const [was, is] = [partsOf(before), partsOf(now)];
  if (was === null || is === null) return [];
  return CHANGES.filter(([part]) => canonicalJson(was[part] ?? null) !== canonicalJson(is[part] ?? null)).map(
    ([, words]) => words,
  );
}

const CHANGES = [
  ['description', 'its description'],
  ['title', 'its title'],
  ['inputSchema', 'the schema of its arguments'],
  ['outputSchema', 'the schema of its results'],
  ['annotations', 'its annotations'],
  ['server', 'what is started or connected to'],
  ['serverInfo', 'the name or version of the server'],
] as const;

function partsOf(text: string): JsonObject | null {
  const at = text.lastIndexOf('\n\n{\n');
  try {
    const parsed = at < 0 ? null : (JSON.parse(text.slice(at)) as JsonObject | null);
    return parsed && { ...parsed, description: text.slice(0, at) };
  } catch {
    return null;
  }
}

/** As it is compared and shown, a line for each thing that may differ. */
export const definitionText = (definition: Definition, { where, serverInfo }: Origin): string =>
  `${definition.description}\n\n${JSON.stringify({ ...definition, description: undefined, server: where, serverInfo }, null, 2)}\n`;
