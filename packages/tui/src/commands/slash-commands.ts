export type SlashCommand = { readonly name: string; readonly args: string; readonly help: string };

/** A command of the program, which the terminal only shows the result of. */
export type ProgramCommand = SlashCommand & { readonly run: (rest: string) => Promise<string> };

/** A prompt of an MCP server. `fullName`: for where one of our commands has the short name. */
export type PromptCommand = SlashCommand & { readonly fullName: string };

/** Everything that can be typed after a slash: help first, then our commands by name, then prompts under other names. */
export function listCommands(
  ours: readonly SlashCommand[],
  prompts: readonly PromptCommand[],
): readonly SlashCommand[] {
  const isOurs = (name: string) => name === 'exit' || ours.some((command) => command.name === name);
  const rank = ({ name }: SlashCommand) => (name === 'help' ? '' : name);
  return [
    ...ours.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)),
    ...prompts.map(({ name, fullName, args, help }) => ({
      name: isOurs(name) ? fullName : name,
      args,
      help,
    })),
  ];
}

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
  // `/etc/hosts is wrong` is a message, not a command.
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
