export type SlashCommand = { readonly name: string; readonly args: string; readonly help: string };

/** Everything that can be typed after a slash. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', args: '', help: 'list commands and keys' },
  { name: 'approvals', args: '', help: 'answer pending approvals, also of other sessions' },
  { name: 'clear', args: '', help: 'start a new session; this one is kept' },
  { name: 'compact', args: '', help: 'summarise the conversation to free context' },
  { name: 'diff', args: '', help: 'show the changes of this session' },
  { name: 'export', args: 'FILE', help: 'write every event of this session to a file' },
  { name: 'grants', args: '[revoke ID]', help: 'list grants, and how to revoke them' },
  { name: 'mcp', args: '', help: "show each MCP server's status and tools" },
  { name: 'mode', args: '[MODE]', help: 'plan, manual, auto_edit, yolo, confirm_always (shift-tab)' },
  { name: 'model', args: '[NAME]', help: 'show or change the model' },
  { name: 'policy', args: "['COMMAND']", help: 'show what the rules decide about a command, and why' },
  { name: 'quit', args: '', help: 'exit; open calls can be resumed' },
  { name: 'resume', args: 'ID', help: 'continue another session' },
  { name: 'sessions', args: '', help: 'list the sessions of this folder' },
  { name: 'stats', args: '', help: 'show calls, durations, waits, tokens and cost' },
  { name: 'tool', args: 'NAME {…}', help: 'call a tool yourself, with arguments as JSON' },
];

/** All of them now: ours, and the prompts of others under names that are not ours. */
export const commandsWith = (
  prompts: readonly (SlashCommand & { readonly fullName: string })[],
): readonly SlashCommand[] => [
  ...SLASH_COMMANDS,
  ...prompts.map(({ name, fullName, args, help }) => ({ name: isOurs(name) ? fullName : name, args, help })),
];

const isOurs = (name: string): boolean =>
  name === 'exit' || SLASH_COMMANDS.some((command) => command.name === name);

/** What a person typed, by how it begins. */
export type Typed =
  | { readonly type: 'nothing' }
  | { readonly type: 'command'; readonly name: string; readonly rest: string }
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'prompt'; readonly text: string };

export function readTyped(text: string): Typed {
  const trimmed = text.trim();
  if (trimmed === '') return { type: 'nothing' };
  if (trimmed.startsWith('!')) {
    const command = trimmed.slice(1).trim();
    return command === '' ? { type: 'nothing' } : { type: 'shell', command };
  }
  const slash = /^\/(\w[\w.:-]*)(?:\s+([\s\S]*))?$/.exec(trimmed);
  // `/etc/hosts is wrong` is something to say, not a command.
  return slash
    ? { type: 'command', name: slash[1] ?? '', rest: slash[2]?.trim() ?? '' }
    : { type: 'prompt', text };
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['enter', 'send; a working model receives it with its next turn'],
  ['alt-enter, ctrl-j, \\ enter', 'a new line'],
  ['esc', 'stop the current work; twice: clear the prompt'],
  ['ctrl-c', 'the same; twice on an empty prompt: exit'],
  ['up, down', 'earlier prompts'],
  ['shift-tab', 'the next mode'],
  ['ctrl-o', 'show arguments and results of the latest calls'],
  ['@path', 'read a file or folder with the prompt; tab completes it'],
  ['!command', 'run a command yourself'],
];

/** A prompt that takes many arguments must not push what all others are for off the screen. */
const NAME_COLUMNS_MAX = 30;

export function helpLines(commands: readonly SlashCommand[]): readonly string[] {
  const width = Math.max(...KEYS.map(([keys]) => keys.length));
  const names = commands.map(({ name, args }) => `/${name} ${args}`.trimEnd());
  const nameWidth = Math.max(...names.map(({ length }) => Math.min(length, NAME_COLUMNS_MAX)));
  return [
    ...KEYS.map(([keys, does]) => `${keys.padEnd(width)}  ${does}`),
    '',
    ...commands.map(({ help }, index) => `${(names[index] ?? '').padEnd(nameWidth)}  ${help}`),
  ];
}
