import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Journal, SessionDirectory } from '@countersign/engine';
import type { Event } from '@countersign/protocol';
import { outputsOf } from '../compose.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { CommandFailure, usage } from '../failure-text.js';
import { type Io, printJson, say } from '../io.js';
import { readOptions, readStore } from '../options.js';
import { isSessionId, newSessionId } from '../session-id.js';
import { type ForkPoint, forkFacts } from './fork-facts.js';
import { howToGoOn, oneId, withSession } from './known-store.js';

/** A new session that begins as this one did, up to a point. */
export async function forkSession(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    at: { type: 'string' },
    'at-message': { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  const from = oneId('fork', positionals);
  const point = pointOf(values.at, values['at-message']);
  const to = values.session ?? newSessionId(Date.now());
  if (!isSessionId(to))
    throw usage(`"${to}" can not be the id of a session`, '--session with letters, digits, ".", "_" and "-"');
  return withSession(values.store, from, io, async (journal) => {
    const forked = forkFacts(await journal.read(from, 0), point);
    if (!forked.ok) throw cannotFork(from, point, forked.why);
    const { events, lastTurn } = forked;
    if (events.length === 0)
      throw usage(`Nothing of ${from} is complete yet`, `countersign sessions show ${from}`);
    if (await journal.session(to))
      throw usage(`There is a session ${to} already`, '--session with another id');
    const outputs = outputsOf(readStore(values.store), io.env);
    // First, so that no fact speaks of a file that is not there.
    await copyOutputs(outputs, from, to, lastTurn);
    await writeFacts(journal, to, events);
    const count = (type: Event['type']) => events.filter((event) => event.type === type).length;
    const messages = count('message.added');
    const calls = count('call.requested');
    if (values.json) printJson(io, { id: to, from, facts: events.length, messages, calls });
    else {
      io.stdout.write(`${to}\n`);
      say(
        io,
        `It begins with ${countOf(messages, 'message')} and ${countOf(calls, 'call')} of ${from}. To go on with it:`,
      );
      say(io, `  ${howToGoOn(to, values.store)}`);
    }
    return EXIT.ok;
  });
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function pointOf(call: string | undefined, message: string | undefined): ForkPoint {
  if (call !== undefined && message !== undefined)
    throw usage('--at and --at-message are two points', 'one of them');
  if (call !== undefined) return { type: 'call', callId: call };
  if (message === undefined) return { type: 'end' };
  const id = Number(message);
  if (!Number.isSafeInteger(id) || id < 1)
    throw usage(`"${message}" is not the number of a message`, '--at-message N, counted from 1');
  return { type: 'message', id };
}

function cannotFork(from: string, point: ForkPoint, why: 'unknown' | 'open'): CommandFailure {
  const what =
    point.type === 'call' ? `call "${point.callId}"` : `message ${point.type === 'message' ? point.id : ''}`;
  return why === 'unknown'
    ? usage(`${from} has no ${what}`, `countersign sessions show ${from} --json, which names them all`)
    : usage(
        `The turn of ${what} is not over, and half a turn can not be copied`,
        `countersign sessions fork ${from}, which takes all that is over`,
      );
}

/** All of it in one append: there is a whole fork or an empty session, never a part. */
export async function writeFacts(
  journal: Journal,
  sessionId: string,
  events: readonly Event[],
): Promise<void> {
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new CommandFailure(owned.failure);
  const { token } = owned;
  try {
    // No views: its calls were counted where they happened, and nobody waits.
    const appended = await journal.append({
      sessionId,
      expectedSeq: 0,
      token,
      events,
      views: [],
      claims: [],
      consumed: [],
      sync: 'full',
    });
    if (!appended.ok) throw new CommandFailure(appended.failure);
  } finally {
    await journal.release(sessionId, token);
  }
}

const DIRECTORY_MODE = 0o700;

/** What calls of these turns left, to which the model may have been referred. */
export async function copyOutputs(
  outputs: string,
  from: string,
  to: string,
  lastTurn: number,
): Promise<void> {
  const source = new SessionDirectory(outputs, from).path;
  const target = new SessionDirectory(outputs, to).path;
  const entries = await readdir(source, { withFileTypes: true }).catch(() => []);
  const ofTurns = entries.filter(
    (entry) => entry.isDirectory() && Number.parseInt(entry.name, 10) <= lastTurn,
  );
  if (ofTurns.length === 0) return;
  // Nothing speaks of it yet: it is what a fork that was cut off has left.
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { mode: DIRECTORY_MODE });
  for (const { name } of ofTurns)
    await cp(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true });
}
