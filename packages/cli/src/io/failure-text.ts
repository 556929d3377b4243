import { visibleLine } from '@countersign/display';
import type { DamagedSessions } from '@countersign/engine';
import { explain, type Failure } from '@countersign/protocol';
import { EXIT, type ExitCode } from './exit-codes.js';
import { type Io, say } from './io.js';

/** A failure as a person reads it: what happened, then what to do. */
export function failureText(failure: Failure): string {
  const { message, hint } = explain(failure);
  return `${message}\n  ${hint}`;
}

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Stops a command with a failure that the user can act on. */
export class CommandFailure extends Error {
  constructor(readonly failure: Failure) {
    super(explain(failure).message);
    this.name = 'CommandFailure';
  }
}

/** The problem of a prompt that is empty. */
export const NO_PROMPT = 'No prompt was given';

export function usage(problem: string, hint: string): CommandFailure {
  return new CommandFailure({ code: 'usage', problem, try: hint });
}

/** Names the sessions that a command omitted because their records are damaged. Its output is incomplete, and no success. */
export function sayDamaged(io: Io, damaged: DamagedSessions, what: string): ExitCode {
  for (const [sessionId, failure] of damaged)
    say(
      io,
      `countersign: ${failureText(failure)}\n  The session ${visibleLine(sessionId)} is damaged and ${what}.`,
    );
  return damaged.size > 0 ? EXIT.setup : EXIT.ok;
}

/** Handlers that print notices, messages and failures for the user, beside the output of a command. */
export function messageHandlers(
  io: Io,
  print = (text: string): unknown => say(io, text),
  level: 'warnings' | 'everything' = 'everything',
) {
  return {
    onNotice: ({ file, line, text, severity }: Notice) => {
      if (severity !== 'info' || level === 'everything') print(`countersign: ${file}:${line}: ${text}`);
    },
    onMessage: (text: string) => void print(`countersign: ${text}`),
    onTrouble: (failure: Failure) => void print(`countersign: ${failureText(failure)}`),
    onTroubleOver: () => void print('countersign: The journal works again.'),
  };
}

type Notice = {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly severity?: 'info' | 'warning';
};
