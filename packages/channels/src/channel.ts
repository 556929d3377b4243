import type { ApprovalChannel, SessionClient } from '@countersign/client';
import type { AwaitingCall } from '@countersign/protocol';
import type { TerminalParts } from './terminal-parts.js';

/** A channel of a command that prints: its output must not get between a question and its answer. */
export interface Channel extends ApprovalChannel {
  /** Prints a message at once, or when no question is on the screen any more. */
  printAside(print: () => void): void;
  close(): void;
}

/** A value of `--approvals`. */
export type ChannelKind = {
  /** 'nobody': calls that would ask are denied, and no question is offered. */
  readonly attended: 'somebody' | 'nobody';
  readonly open: (parts: ChannelParts) => Channel;
};

/** The parts that a command passes to a channel. */
export type ChannelParts = {
  readonly client: SessionClient;
  /** Prints a message for the user. */
  readonly say: (text: string) => void;
  /** Prints a JSON line. */
  readonly print: (value: unknown) => void;
  /** The command that answers a question from another process. */
  readonly answerCommand: (call: AwaitingCall) => string;
  readonly terminal: TerminalParts;
};

/** A channel that draws nothing, so that everything can be printed at once. */
export const printing = (channel: Partial<ApprovalChannel>): Channel => ({
  offer: () => {},
  withdraw: () => {},
  printAside: (print) => print(),
  close: () => {},
  ...channel,
});
