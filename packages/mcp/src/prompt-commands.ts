import { setTimeout as delay } from 'node:timers/promises';
import { explain, type MessagePart, ToolFailure } from '@countersign/protocol';
import type { McpClientManager } from './mcp-client-manager.js';
import { argumentsText, readArguments } from './prompts/prompt-arguments.js';
import type { McpPrompt, PromptMessages } from './prompts/read-prompts.js';
import { ListRefresh } from './servers/list-refresh.js';
import { inOneLine } from './text/in-words.js';

/** A prompt of a server as something to type after a slash. */
export type PromptCommand = {
  /** The shortest that says which one is meant. */
  readonly name: string;
  /** The same with its server, `server:name`: for where the short one means something else. */
  readonly fullName: string;
  /** What it takes, in order. */
  readonly args: string;
  readonly help: string;
};

export type SaidPrompt =
  | { readonly type: 'said'; readonly parts: readonly MessagePart[] }
  /** There is such a prompt, but it cannot be had: a text for the person. */
  | { readonly type: 'problem'; readonly text: string }
  | { readonly type: 'unknown' };

const CHANGES_MS = 100; // how long changes are collected
const LIST_WAIT_MS = 2_000; // the user who typed a name does not wait longer for a list
const PROMPT_MS_MAX = 60_000; // no user waits longer for a prompt
const PROMPT_CHARS_MAX = 200_000; // a longer one leaves a model no room for a response

type Named = { readonly command: PromptCommand; readonly prompt: McpPrompt };

/** The prompts of all servers by the names that a person types, kept as the servers have them now. */
export class PromptCommands {
  readonly #manager: McpClientManager;
  readonly #refreshes = new Map<string, ListRefresh>();
  readonly #prompts = new Map<string, readonly McpPrompt[]>();
  readonly #listeners = new Set<() => void>();
  #named: readonly Named[] = [];

  constructor(manager: McpClientManager) {
    this.#manager = manager;
    manager.listen({
      onStatus: (server, { state }) => {
        if (state !== 'connecting') this.#refreshOf(server).want();
      },
      onChanged: (server, list) => {
        if (list === 'prompts') this.#refreshOf(server).want();
      },
    });
    for (const { name } of manager.status()) this.#refreshOf(name).want();
  }

  list(): readonly PromptCommand[] {
    return this.#named.map(({ command }) => command);
  }

  /** Returns how to stop listening. */
  onChanged(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  has(word: string): boolean {
    return this.#find(word).length > 0;
  }

  /** What is said to a model by this command. */
  async say(word: string, typed: string, signal: AbortSignal): Promise<SaidPrompt> {
    if (!this.has(word)) await this.#upToDate();
    const [found, ...others] = this.#find(word);
    if (!found) return { type: 'unknown' };
    if (others.length > 0) {
      const names = [found, ...others].map(({ command }) => `/${command.fullName}`);
      return problem(`Several MCP servers have a prompt of that name: ${names.join(', ')}.`);
    }
    const { prompt, command } = found;
    const read = readArguments(prompt, typed);
    if (!read.ok) return problem(`/${word} ${read.problem}. Usage: ${usage(word, command)}`);
    try {
      const { server, name } = prompt;
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(PROMPT_MS_MAX)]);
      return said(await this.#manager.getPrompt(server, name, read.args, inTime), prompt);
    } catch (thrown) {
      if (!(thrown instanceof ToolFailure)) throw thrown;
      const { message } = explain(thrown.failure);
      return problem(`/${word} failed. ${message}`);
    }
  }

  close(): void {
    for (const refresh of this.#refreshes.values()) refresh.cancel();
    this.#listeners.clear();
  }

  #find(word: string): readonly Named[] {
    const exact = this.#named.find(({ command }) => command.fullName === word);
    return exact ? [exact] : this.#named.filter(({ prompt }) => shortName(prompt) === word);
  }

  async #upToDate(): Promise<void> {
    const timer = new AbortController();
    const late = delay(LIST_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    const read = Promise.all(Array.from(this.#refreshes.values(), (refresh) => refresh.done()));
    await Promise.race([read, late]);
    timer.abort();
  }

  /** Each server by itself: one that does not answer keeps no other from being known. */
  #refreshOf(server: string): ListRefresh {
    const refresh = this.#refreshes.get(server) ?? new ListRefresh(CHANGES_MS, () => this.#read(server));
    this.#refreshes.set(server, refresh);
    return refresh;
  }

  async #read(server: string): Promise<void> {
    const before = JSON.stringify(this.list());
    this.#prompts.set(server, await this.#manager.promptsOf(server));
    this.#named = namesFor([...this.#prompts.values()].flat());
    if (JSON.stringify(this.list()) !== before) for (const changed of this.#listeners) changed();
  }
}

const problem = (text: string): SaidPrompt => ({ type: 'problem', text });

const usage = (word: string, { args }: PromptCommand): string =>
  args === ''
    ? `/${word}`
    : `/${word} ${args}\nPut values with spaces in "quotes"; pass an argument by name as --name=value.`;

function said(messages: PromptMessages, { server, name }: McpPrompt): SaidPrompt {
  const parts = messages.flatMap(({ role, parts: own }) =>
    role === 'user' || own.length === 0 ? own : [{ text: AS_IF }, ...own],
  );
  const chars = parts.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
  const of = `The prompt "${inOneLine(name)}" of the MCP server "${server}"`;
  if (parts.every(({ text }) => typeof text === 'string' && text.trim() === ''))
    return problem(`${of} is empty: nothing was sent.`);
  if (chars > PROMPT_CHARS_MAX)
    return problem(
      `${of} has ${chars.toLocaleString('en')} characters; the limit is ${PROMPT_CHARS_MAX.toLocaleString('en')}.`,
    );
  return { type: 'said', parts };
}

/** A prompt is one thing that a person says: an answer in it can be no more than an example. */
const AS_IF = 'Assume that this was your response:';

/** Names that can be typed, each for one prompt and always in the same way, in whatever order the servers answer. */
function namesFor(prompts: readonly McpPrompt[]): readonly Named[] {
  const sorted = prompts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const fullNames = new Set<string>();
  for (const { server, name } of sorted) {
    const plain = `${safe(server)}:${safe(name)}`;
    let fullName = plain;
    for (let number = 2; fullNames.has(fullName); number += 1) fullName = `${plain}_${number}`;
    fullNames.add(fullName);
  }
  return [...fullNames].flatMap((fullName, at) => {
    const prompt = sorted[at];
    if (!prompt) return [];
    const short = shortName(prompt);
    const isOneOnly = sorted.filter((each) => shortName(each) === short).length === 1;
    const name = isOneOnly && !fullNames.has(short) ? short : fullName;
    const help = `${prompt.description || 'a prompt'} (${safe(prompt.server)})`;
    return { prompt, command: { name, fullName, args: argumentsText(prompt), help } };
  });
}

const keyOf = ({ server, name }: McpPrompt): string => JSON.stringify([server, name]);

const shortName = ({ name }: McpPrompt): string => safe(name);

const COMMAND_CHARS_MAX = 60;

/** What a slash can stand before: it begins with a letter, a digit or `_`, and a second slash would make a path of it. */
const safe = (name: string): string => name.replace(/[^\w.:-]|^[.:-]/g, '_').slice(0, COMMAND_CHARS_MAX);
