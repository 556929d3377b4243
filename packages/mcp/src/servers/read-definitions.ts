import { isJsonObject } from '@countersign/host';
import type { Json } from '@countersign/protocol';
import type { Definition } from '../definitions/definition.js';
import { schemaProblem } from '../schema/schema-problem.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { shownName } from '../text/in-words.js';
import { textIn } from '../text/text-in.js';

export type ReadDefinitions = {
  readonly definitions: readonly Definition[];
  /** Which tools cannot be used and why, in a sentence each. */
  readonly problems: readonly string[];
};

/** Reads what a server says of its tools. A tool that cannot be used hides no other. */
export function readDefinitions(
  listed: readonly Json[],
  { includeTools, excludeTools }: Pick<ServerSettings, 'includeTools' | 'excludeTools'>,
): ReadDefinitions {
  const definitions = new Map<string, Definition>();
  const problems: string[] = [];
  for (const item of listed) {
    const read = readDefinition(item);
    if (typeof read === 'string') problems.push(read);
    // Never the second in the place of the first, which is the one that was shown.
    else if (definitions.has(read.name))
      problems.push(`the tool "${read.name}" is listed twice; the first one is used`);
    else definitions.set(read.name, read);
  }
  const isWanted = ({ name }: Definition) =>
    !excludeTools.some((each) => names(each, name)) &&
    (includeTools === null || includeTools.some((each) => names(each, name)));
  return { definitions: [...definitions.values()].filter(isWanted), problems };
}

/** Gemini CLI also takes `tool(…)`. */
const names = (entry: string, tool: string): boolean => entry === tool || entry.startsWith(`${tool}(`);

/** What the specification recommends, and what is commonly used beside it. It gets into prompts, logs and policy. */
const NAME = /^[A-Za-z0-9_.:/-]{1,128}$/;
const DESCRIPTION_CHARS_MAX = 50_000; // a model and a person have to read it

/** The definition, or what is wrong with it. */
function readDefinition(item: Json): Definition | string {
  if (!isJsonObject(item)) return 'an entry of its list of tools is not an object';
  const { name, inputSchema, outputSchema } = item;
  if (typeof name !== 'string') return 'a tool on its list has no name';
  if (!NAME.test(name)) return `the tool ${shownName(name)} has a name that cannot be used`;
  const description = textIn(item, 'description');
  if (description.length > DESCRIPTION_CHARS_MAX) return `the description of "${name}" is too long`;
  if (!isJsonObject(inputSchema)) return `the tool "${name}" has no schema`;
  const problem = schemaProblem(inputSchema);
  if (problem !== null) return `the schema of "${name}" cannot be used: ${problem}`;
  const output = isJsonObject(outputSchema) ? outputSchema : null;
  const outputProblem = output && schemaProblem(output);
  if (outputProblem) return `the output schema of "${name}" cannot be used: ${outputProblem}`;
  const annotations = isJsonObject(item['annotations']) ? item['annotations'] : {};
  const title = textIn(item, 'title') || textIn(annotations, 'title') || name;
  return { name, title, description, inputSchema, outputSchema: output, annotations };
}
