import { expect, test } from 'vitest';
import { TERMINAL_COMMANDS } from '../terminal-commands.js';
import { helpLines, listCommands, type PromptCommand, readTyped } from './slash-commands.js';

const OURS = [
  ...TERMINAL_COMMANDS,
  { name: 'stats', args: '', help: 'calls, durations, waits, tokens and cost' },
];
const commandsWith = (prompts: readonly PromptCommand[]) => listCommands(OURS, prompts);

const prompt = (name: string, args = '') => ({ name, fullName: `guide:${name}`, args, help: 'of a server' });

test('prompts of servers are commands beside ours, and never replace one [M2] [U3]', () => {
  const names = commandsWith([prompt('review'), prompt('help'), prompt('exit')]).map(({ name }) => name);
  expect(names.slice(OURS.length)).toEqual(['review', 'guide:help', 'guide:exit']);
  expect(names.filter((name) => name === 'help')).toHaveLength(1);
});

test('a command may have a server, dots and dashes in its name; a path is no command [M2] [U3]', () => {
  expect(readTyped('/guide:code-review a.ts\nb')).toEqual({
    type: 'command',
    name: 'guide:code-review',
    rest: 'a.ts\nb',
  });
  for (const words of ['/etc/hosts is wrong', '//x', '/ x', '/.hidden'])
    expect(readTyped(words)).toMatchObject({ type: 'prompt' });
});

test('a prompt with many arguments does not move the help texts of the others [M2] [U3]', () => {
  const column = (lines: readonly string[]) =>
    lines.find((line) => line.startsWith('/stats'))?.indexOf('show calls') ?? -1;
  const long = prompt('long', 'argument '.repeat(20).trim());
  expect(column(helpLines(commandsWith([long])))).toBeLessThanOrEqual(32);
  expect(helpLines(commandsWith([long])).at(-1)).toMatch(/^\/long argument .* {2}of a server$/);
});

test('help comes first, and commands of the program are sorted among the others by name [U3]', () => {
  const names = commandsWith([]).map(({ name }) => name);
  expect(names[0]).toBe('help');
  expect(names.slice(1)).toEqual(names.slice(1).toSorted());
  expect(names).toContain('stats');
});
