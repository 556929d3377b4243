export { carryOut } from './commands/carry-out.js';
export type { ProgramCommand } from './commands/slash-commands.js';
export type { CommandParts } from './commands/terminal-commands.js';
export type { Pending } from './dialogs/pending.js';
export type { HistoryPort } from './input/history.js';
export type {
  Edited,
  Elsewhere,
  Ending,
  OnTerminal,
  PromptPort,
  TerminalPorts,
  Waiting,
} from './ports.js';
export { type RunningTerminal, startTerminal, type TerminalOptions } from './start-terminal.js';
