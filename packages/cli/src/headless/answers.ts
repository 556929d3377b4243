import { readAnswer } from '@countersign/channels';
import type { SessionShell } from '@countersign/engine';
import { type Ack, explain, type Failure } from '@countersign/protocol';
import { type Io, printJson } from '../io/io.js';
import { type Framed, jsonValues } from '../io/json-lines.js';

/** Takes answers from lines of stdin until there are no more, and says of each what it came to. */
export async function answersFrom(io: Io, session: SessionShell): Promise<void> {
  try {
    for await (const framed of jsonValues(io.stdin)) printJson(io, await answered(framed, session));
  } catch {
    // A pipe that breaks, or is closed since the run is over, gives no more answers: that is its end.
  }
}

async function answered(framed: Framed, session: SessionShell): Promise<object> {
  const read = framed.ok ? readAnswer(framed.value, session.sessionId) : null;
  if (read === null) return refused({ code: 'invalid_request', problem: problemOf(framed) });
  if (!read.ok) return refused(read.failure);
  const { command } = read;
  return acknowledged(command.callId, await session.send(command));
}

const problemOf = (framed: Framed): string =>
  framed.ok
    ? 'a line must be an answer: {"type":"answer","id","digest","outcome"}'
    : `input line ${framed.line}: ${framed.problem}`;

function acknowledged(id: string, ack: Ack): object {
  if (!ack.ok) return { ...refused(ack.failure), id };
  return { type: 'ack', id, ok: true, ...(ack.repeated && { repeated: true }) };
}

const refused = (failure: Failure) => ({
  type: 'ack',
  ok: false,
  error: { type: failure.code, ...explain(failure) },
});
