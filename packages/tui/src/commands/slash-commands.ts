export type SlashCommand = { readonly name: string; readonly args: string; readonly help: string };

/** Everything that can be typed after a slash. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', args: '', help: 'what can be typed here, and which keys do what' },
  { name: 'approvals', args: '', help: 'answer what waits, also in other sessions' },
  { name: 'clear', args: '', help: 'a new session on an empty screen; this one is kept' },
  { name: 'compact', args: '', help: 'sum up what was said, to make room for more' },
  { name: 'diff', args: '', help: 'what this session has changed' },
  { name: 'export', args: 'FILE', help: 'write every fact of this session to a file' },
  { name: 'grants', args: '[revoke ID]', help: 'what is allowed for good, and how to take it back' },
  { name: 'mcp', args: '', help: 'MCP servers: how it is with each, and what it offers' },
  { name: 'mode', args: '[MODE]', help: 'plan, manual, auto_edit, yolo, confirm_always (shift-tab)' },
  { name: 'model', args: '[NAME]', help: 'who answers, or another from now on' },
  { name: 'policy', args: "['COMMAND']", help: 'what the rules make of a command, and why' },
  { name: 'quit', args: '', help: 'leave; what waits can be taken up again' },
  { name: 'resume', args: 'ID', help: 'go on with another session' },
  { name: 'sessions', args: '', help: 'the sessions of this folder' },
  { name: 'stats', args: '', help: 'calls, durations, waits, tokens and cost' },
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
  ['enter', 'send; while the model works, it gets it with its next turn'],
  ['alt-enter, ctrl-j, \\ enter', 'a new line'],
  ['esc', 'stop what is going on; twice: empty the prompt'],
  ['ctrl-c', 'the same; twice on an empty prompt: leave'],
  ['up, down', 'earlier prompts'],
  ['shift-tab', 'the next mode'],
  ['ctrl-o', 'all of the latest calls: what they were given and gave'],
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
