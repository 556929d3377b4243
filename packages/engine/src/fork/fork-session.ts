import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandIdentity, Event, Failure } from '@countersign/protocol';
import type { Journal } from '../journal/index.js';
import { SessionDirectory } from '../planning/session-directory.js';
import { type FactsToFork, type ForkPoint, forkFacts } from './fork-facts.js';

export type ForkRequest = {
  readonly journal: Journal;
  /** Where sessions keep what their calls leave; null: nowhere that lasts. */
  readonly outputs: string | null;
  readonly from: string;
  readonly to: string;
  readonly point: ForkPoint;
  /** Of the command, which may be sent again. */
  readonly identity?: CommandIdentity;
};

export type Forked =
  | { readonly ok: true; readonly events: readonly Event[] }
  /** 'nothing': no turn of it is over. */
  | { readonly ok: false; readonly why: Extract<FactsToFork, { ok: false }>['why'] | 'nothing' }
  | { readonly ok: false; readonly why: 'failed'; readonly failure: Failure };

/** A new session that begins as another did, up to a point. There is a whole fork or an empty session, never a part. */
export async function forkSession(request: ForkRequest): Promise<Forked> {
  const { journal, outputs, from, to, point, identity } = request;
  const facts = forkFacts(await journal.read(from, 0), point);
  if (!facts.ok) return facts;
  const { lastTurn } = facts;
  if (facts.events.length === 0) return { ok: false, why: 'nothing' };
  const begun = facts.events.map((event) => copied(event, from));
  const events = identity ? withCommand(begun, identity) : begun;
  // First, so that no fact mentions a file that is not there.
  if (outputs !== null) await copyOutputs(outputs, from, to, lastTurn);
  const failure = await writeFacts(journal, to, events);
  return failure ? { ok: false, why: 'failed', failure } : { ok: true, events };
}

/** The tokens of what is copied were counted where it was said. */
const copied = (event: Event, from: string): Event =>
  event.type === 'message.added' || event.type === 'history.compressed'
    ? { ...event, forkedFrom: event.forkedFrom ?? from }
    : event;

/** At the beginning, where a repeated command finds it without reading everything. */
function withCommand(events: readonly Event[], identity: CommandIdentity): readonly Event[] {
  const [first, ...rest] = events;
  if (!first) return events;
  const reply = { ok: true, seq: events.length + 1 } as const;
  return [first, { type: 'command.accepted', ...identity, reply, at: Date.now() }, ...rest];
}

async function writeFacts(
  journal: Journal,
  sessionId: string,
  events: readonly Event[],
): Promise<Failure | null> {
  const owned = await journal.own(sessionId);
  if (!owned.ok) return owned.failure;
  const { token } = owned;
  try {
    // No views: its calls were counted where they happened, and no caller waits.
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
    return appended.ok ? null : appended.failure;
  } finally {
    await journal.release(sessionId, token);
  }
}

const DIRECTORY_MODE = 0o700;

/** What calls of these turns left, to which the model may have been referred. */
async function copyOutputs(outputs: string, from: string, to: string, lastTurn: number): Promise<void> {
  const source = new SessionDirectory(outputs, from).path;
  const target = new SessionDirectory(outputs, to).path;
  const entries = await readdir(source, { withFileTypes: true }).catch(() => []);
  const ofTurns = entries.filter(
    (entry) => entry.isDirectory() && Number.parseInt(entry.name, 10) <= lastTurn,
  );
  if (ofTurns.length === 0) return;
  // Nothing mentions it yet: it is what a fork that was cut off has left.
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { mode: DIRECTORY_MODE });
  for (const { name } of ofTurns)
    await cp(join(source, name), join(target, name), { recursive: true, verbatimSymlinks: true });
}
