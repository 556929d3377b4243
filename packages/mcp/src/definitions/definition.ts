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

/** `where`: what is started or connected to. The same words of another program are another tool. */
export const definitionHash = (definition: Definition, where: string): string =>
  hash('sha256', canonicalJson([definition, where]));

/** As it is compared and shown, a line for each thing that may differ. */
export const definitionText = (definition: Definition, where: string): string =>
  `${definition.description}\n\n${JSON.stringify({ ...definition, description: undefined, server: where }, null, 2)}\n`;
