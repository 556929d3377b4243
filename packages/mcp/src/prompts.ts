import { ToolFailure } from '@countersign/engine';
import type { ModelContent } from '@countersign/protocol';
import { isJsonList, isJsonObject } from '@countersign/tools';
import { inOneLine } from './in-words.js';
import type { ServerLink } from './servers/server-link.js';
import { textIn } from './text-in.js';
import { contentsOf } from './tool/contents.js';

/** A prompt that a server offers, to be had as a slash command. */
export type McpPrompt = {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly args: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
  }[];
};

/** What to say to a model, in order. */
export type PromptMessages = readonly {
  readonly role: 'user' | 'assistant';
  readonly content: ModelContent;
}[];

export async function readPrompts(link: ServerLink): Promise<readonly McpPrompt[]> {
  if (!link.has('prompts')) return [];
  const listed = await link.list('prompts');
  return listed.filter(isJsonObject).flatMap((prompt) => {
    const name = textIn(prompt, 'name');
    if (!NAME.test(name)) return [];
    const args = isJsonList(prompt['arguments']) ? prompt['arguments'].filter(isJsonObject) : [];
    return {
      server: link.name,
      name,
      description: inOneLine(textIn(prompt, 'description')),
      args: args.map((each) => ({
        name: textIn(each, 'name'),
        description: inOneLine(textIn(each, 'description')),
        isRequired: each['required'] === true,
      })),
    };
  });
}

/** It becomes the name of a command. */
const NAME = /^[\w.:/-]{1,128}$/;

export async function readPrompt(
  links: readonly ServerLink[],
  wish: {
    readonly server: string;
    readonly name: string;
    readonly args: { readonly [name: string]: string };
    readonly signal: AbortSignal;
  },
): Promise<PromptMessages> {
  const { server, name, args, signal } = wish;
  const link = links.find((each) => each.name === server);
  if (!link)
    throw new ToolFailure({ code: 'mcp_unavailable', server, problem: 'there is none of that name' });
  const { messages } = await link.ask('prompts/get', { name, arguments: args }, signal);
  return (isJsonList(messages) ? messages : []).filter(isJsonObject).map((message) => ({
    role: message['role'] === 'assistant' ? 'assistant' : 'user',
    content: contentsOf([message['content'] ?? null]).llmContent,
  }));
}
