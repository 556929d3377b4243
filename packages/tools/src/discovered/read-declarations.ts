import { isJsonList, isJsonObject } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';
import * as z from 'zod';

/** A tool as a discovery command declares it. */
export type Declaration = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, maybe in the spelling of the Gemini API; null if it takes none. */
  readonly parameters: JsonObject | null;
};

export type Declarations =
  | { readonly ok: true; readonly declarations: readonly Declaration[]; readonly problems: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const DECLARATIONS_MAX = 500; // no model can choose among more

/** Reads what a discovery command printed: function declarations, or groups of them, in a list. */
export function readDeclarations(printed: string): Declarations {
  const parsed = parseJson(printed);
  if (parsed === undefined) return { ok: false, problem: 'did not print JSON' };
  if (!isJsonList(parsed)) return { ok: false, problem: 'printed JSON that is not a list' };
  const declarations: Declaration[] = [];
  const problems: string[] = [];
  const listed = parsed.flatMap(inGroup);
  for (const [index, entry] of listed.slice(0, DECLARATIONS_MAX).entries()) {
    const read = readDeclaration(entry);
    if (typeof read === 'string') problems.push(`entry ${index + 1} ${read}`);
    else declarations.push(read);
  }
  const left = listed.length - DECLARATIONS_MAX;
  if (left > 0) problems.push(`of ${listed.length} declarations the last ${left} are skipped`);
  return { ok: true, declarations, problems };
}

function parseJson(text: string): Json | undefined {
  try {
    return WhateverJsonHolds.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

// Whatever comes out of JSON.parse is JSON.
const WhateverJsonHolds = z.custom<Json>();

function inGroup(entry: Json): readonly Json[] {
  if (!isJsonObject(entry)) return [entry];
  const group = entry['functionDeclarations'] ?? entry['function_declarations'];
  return isJsonList(group) ? group : [entry];
}

/** The declaration, or what is wrong with it. */
function readDeclaration(entry: Json): Declaration | string {
  if (!isJsonObject(entry)) return 'is not an object';
  const { name, description } = entry;
  if (typeof name !== 'string' || name === '') return 'has no name';
  if (!NAME.test(name)) return `has a name that models cannot use: ${JSON.stringify(name)}`;
  const parameters = entry['parametersJsonSchema'] ?? entry['parameters_json_schema'] ?? entry['parameters'];
  if (parameters !== undefined && parameters !== null && !isJsonObject(parameters))
    return `("${name}") has parameters that are not a JSON Schema`;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: parameters ?? null,
  };
}

/** What the Gemini API takes as a name. */
const NAME = /^[A-Za-z_][\w.:-]{0,63}$/;
