import { readAnswer } from '@countersign/channels';
import type { SessionShell } from '@countersign/engine';
import { ackLine } from '../io/ack-line.js';
import { type Io, printJson } from '../io/io.js';
import { type Framed, jsonValues } from '../io/json-lines.js';

/** Reads answers from lines of stdin until it ends, and prints the result of each. */
export async function answersFrom(io: Io, session: SessionShell): Promise<void> {
  try {
    for await (const framed of jsonValues(io.stdin)) printJson(io, await answered(framed, session));
  } catch {
    // A pipe that breaks, or that we close when the run ends, has no more answers.
  }
}

async function answered(framed: Framed, session: SessionShell): Promise<object> {
  const read = framed.ok ? readAnswer(framed.value, session.sessionId) : null;
  if (read?.ok) return ackLine(read.command.callId, await session.send(read.command));
  const failure = read?.failure ?? { code: 'invalid_request' as const, problem: problemOf(framed) };
  return ackLine(undefined, { ok: false, failure });
}

const problemOf = (framed: Framed): string =>
  framed.ok
    ? 'a line must be an answer: {"type":"answer","id","digest","outcome"}'
    : `input line ${framed.line}: ${framed.problem}`;
