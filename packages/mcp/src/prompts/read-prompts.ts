import { isJsonList, isJsonObject } from '@countersign/host';
import { type Json, type JsonObject, type MessagePart, ToolFailure } from '@countersign/protocol';
import { stripInvisible } from '@countersign/tools';
import type { ServerLink } from '../servers/server-link.js';
import { inOneLine } from '../text/in-words.js';
import { textIn } from '../text/text-in.js';
import { contentsOf } from '../tool/contents.js';

/** A prompt that a server offers, to be had as a slash command. */
export type McpPrompt = {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly args: readonly PromptArgument[];
};

export type PromptArgument = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
};

/** What to say to a model, in order. */
export type PromptMessages = readonly {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
}[];

const ARGUMENTS_MAX = 20; // no user types more
const NAME_CHARS_MAX = 200;

export async function readPrompts(link: ServerLink): Promise<readonly McpPrompt[]> {
  if (!link.has('prompts')) return [];
  const listed = await link.list('prompts');
  const prompts = new Map<string, McpPrompt>();
  for (const prompt of listed.filter(isJsonObject)) {
    const name = textIn(prompt, 'name');
    // Of two by one name, there is no way to ask for the second.
    if (name === '' || name.length > NAME_CHARS_MAX || prompts.has(name)) continue;
    const description = inOneLine(textIn(prompt, 'description') || textIn(prompt, 'title'));
    prompts.set(name, { server: link.name, name, description, args: argumentsOf(prompt['arguments']) });
  }
  return [...prompts.values()];
}

function argumentsOf(given: Json | undefined): readonly PromptArgument[] {
  const args = new Map<string, PromptArgument>();
  for (const each of (isJsonList(given) ? given : []).filter(isJsonObject)) {
    const name = textIn(each, 'name');
    if (name === '' || name.length > NAME_CHARS_MAX || args.size === ARGUMENTS_MAX) continue;
    const description = inOneLine(textIn(each, 'description'));
    args.set(name, { name, description, isRequired: each['required'] === true });
  }
  return [...args.values()];
}

export type PromptRequest = {
  readonly server: string;
  readonly name: string;
  readonly args: { readonly [name: string]: string };
  readonly signal: AbortSignal;
};

/** Throws a `ToolFailure`. */
export async function readPrompt(
  links: readonly ServerLink[],
  request: PromptRequest,
): Promise<PromptMessages> {
  const { server, name, args, signal } = request;
  const link = links.find((each) => each.name === server);
  if (!link)
    throw new ToolFailure({ code: 'mcp_unavailable', server, problem: 'there is no prompt of that name' });
  const { messages } = await link.ask('prompts/get', { name, arguments: args }, signal);
  return (isJsonList(messages) ? messages : []).filter(isJsonObject).map((message) => ({
    role: message['role'] === 'assistant' ? 'assistant' : 'user',
    // One block each; some servers send a list of them.
    parts: [message['content'] ?? []].flat().filter(isJsonObject).flatMap(partsOf),
  }));
}

/** The text is the user's own, who chose to send it; attachments are foreign content. */
function partsOf(block: JsonObject): readonly MessagePart[] {
  if (block['type'] === 'text') return [{ text: stripInvisible(textIn(block, 'text')) }];
  const { llmContent } = contentsOf([block]);
  const pieces: readonly Json[] = isJsonList(llmContent) ? llmContent : [llmContent];
  return pieces.flatMap((piece): readonly MessagePart[] =>
    typeof piece === 'string' ? [{ text: piece }] : isJsonObject(piece) ? [piece] : [],
  );
}
