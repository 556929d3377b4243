import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ReadPrompt } from './content/prompt-parts.js';
import type { Commands, SaidCommand } from './host.js';

/** What an editor offers after a slash. */
export const commandsUpdate = (commands: Commands): SessionUpdate => ({
  sessionUpdate: 'available_commands_update',
  availableCommands: commands.list().map(({ name, args, help }) => ({
    name,
    description: help,
    ...(args !== '' && { input: { hint: args } }),
  })),
});

/** Expands a prompt that begins with a slash command; `unknown` if it begins with none. Attachments stay. */
export async function expandCommand(
  { attached, typed }: ReadPrompt,
  commands: Commands,
  signal: AbortSignal,
): Promise<SaidCommand> {
  const [, name, rest = ''] = COMMAND.exec(typed) ?? [];
  if (name === undefined) return UNKNOWN;
  const expanded = await commands.say(name, rest, signal);
  if (expanded.type !== 'said') return expanded;
  return { type: 'said', parts: [...expanded.parts, ...attached] };
}

const COMMAND = /^\s*\/(\w[\w.:-]*)(?:\s+([\s\S]*))?$/;
const UNKNOWN: SaidCommand = { type: 'unknown' };
