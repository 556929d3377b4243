import { type ForkPoint, forkSession } from '@countersign/engine';
import type { Event } from '@countersign/protocol';
import { outputsOf } from '../compose/compose.js';
import { oneId, withSession } from '../compose/known-store.js';
import { promptCommand } from '../compose/next-commands.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { readOptions, readStore } from '../options/options.js';
import { newSessionId, readSessionId } from '../options/session-id.js';

/** Creates a session with the history of another one, up to a point. */
export async function fork(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    at: { type: 'string' },
    'at-message': { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  const from = oneId('sessions fork', positionals);
  const point = pointOf(values.at, values['at-message']);
  const to = readSessionId(values.session) ?? newSessionId(Date.now());
  return withSession(values.store, from, io, 'write', async (journal) => {
    if (await journal.session(to))
      throw usage(`The session ${to} already exists`, '--session with another id');
    const outputs = outputsOf(readStore(values.store), io.env);
    const forked = await forkSession({ journal, outputs, from, to, point });
    if (!forked.ok)
      throw forked.why === 'failed'
        ? new CommandFailure(forked.failure)
        : cannotFork(from, point, forked.why);
    const { events } = forked;
    const count = (type: Event['type']) => events.filter((event) => event.type === type).length;
    const messages = count('message.added');
    const calls = count('call.requested');
    if (values.json) printJson(io, { id: to, from, facts: events.length, messages, calls });
    else {
      io.stdout.write(`${to}\n`);
      say(
        io,
        `It begins with ${countOf(messages, 'message')} and ${countOf(calls, 'call')} of ${from}. To continue it:`,
      );
      say(io, `  ${await promptCommand({ journal, sessionId: to, store: values.store }, io)}`);
    }
    return EXIT.ok;
  });
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function pointOf(call: string | undefined, message: string | undefined): ForkPoint {
  if (call !== undefined && message !== undefined)
    throw usage('--at and --at-message cannot be combined', 'one of them');
  if (call !== undefined) return { type: 'call', callId: call };
  if (message === undefined) return { type: 'end' };
  const id = Number(message);
  if (!Number.isSafeInteger(id) || id < 1)
    throw usage(`"${message}" is not the number of a message`, '--at-message N, counted from 1');
  return { type: 'message', id };
}

function cannotFork(from: string, point: ForkPoint, why: 'unknown' | 'open' | 'nothing'): CommandFailure {
  if (why === 'nothing')
    return usage(`No turn of ${from} is complete yet`, `countersign sessions show ${from}`);
  const what =
    point.type === 'call' ? `call "${point.callId}"` : `message ${point.type === 'message' ? point.id : ''}`;
  return why === 'unknown'
    ? usage(`${from} has no ${what}`, `countersign sessions show ${from} --json, which names them all`)
    : usage(
        `The turn of ${what} has not ended, and part of a turn cannot be copied`,
        `countersign sessions fork ${from}, which copies all turns that have ended`,
      );
}
