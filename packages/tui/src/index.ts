/**
 * The terminal: a conversation with every question in place.
 *
 * What enters: keys, and views of sessions. What leaves: prompts, answers and slash commands through ports; the program behind them is
 * chosen by the cli.
 *
 * What holds: keys typed before a question appears do not answer it; a whole question is visible before it can be approved; what scrolled
 * away was printed once and stays.
 */
export { carryOut } from './carry-out.js';
export type { ProgramCommand } from './commands/slash-commands.js';
export type { Pending } from './dialogs/pending.js';
export type { HistoryPort } from './input/history.js';
export type { Edited, Elsewhere, Ending, NextSession, OnTerminal, TerminalPorts, Waiting } from './ports.js';
export { type RunningTerminal, startTerminal } from './start-terminal.js';
