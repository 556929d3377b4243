export { carryOut } from './carry-out.js';
export type { Pending } from './dialogs/pending.js';
export type { HistoryPort } from './input/history.js';
export type { Edited, Elsewhere, Ending, OnTerminal, PortCommand, TerminalPorts, Waiting } from './ports.js';
export { type RunningTerminal, startTerminal } from './start-terminal.js';
