import { explain, type Failure } from '@countersign/protocol';

/** A failure as a person reads it: what happened, then what to do. */
export function failureText(failure: Failure): string {
  const { message, hint } = explain(failure);
  return `${message}\n  ${hint}`;
}

/** Stops a command with a failure that the person who typed it can act on. */
export class CommandFailure extends Error {
  constructor(readonly failure: Failure) {
    super(explain(failure).message);
    this.name = 'CommandFailure';
  }
}

export function usage(problem: string, hint: string): CommandFailure {
  return new CommandFailure({ code: 'usage', problem, try: hint });
}
