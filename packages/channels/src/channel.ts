import type { ApprovalChannel, SessionClient } from '@countersign/client';
import type { TerminalParts } from './terminal-parts.js';

/** A channel of a command that prints: what it prints must not get between a question and its answer. */
export interface Channel extends ApprovalChannel {
  /** Prints something that is no question: at once, or when no question is on the screen any more. */
  printAside(print: () => void): void;
  close(): void;
}

/** One way to ask, as `--approvals` names it. */
export type ChannelKind = {
  /** 'nobody': policy denies what it would ask about, and nothing is ever offered. */
  readonly attended: 'somebody' | 'nobody';
  readonly open: (parts: ChannelParts) => Channel;
};

/** What a command gives a channel to work with. */
export type ChannelParts = {
  readonly client: SessionClient;
  /** A text for a person. */
  readonly say: (text: string) => void;
  /** A line of JSON for a program. */
  readonly print: (value: unknown) => void;
  /** The command that answers a question, from anywhere on this machine. */
  readonly answerCommand: (callId: string) => string;
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
