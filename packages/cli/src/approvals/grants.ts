import { RemoteClient } from '@countersign/attach';
import { visibleLine } from '@countersign/display';
import { type Journal } from '@countersign/engine';
import { patternInWords } from '@countersign/kernel';
import type { Ack, Grant } from '@countersign/protocol';
import { listFromStore, withStore } from '../compose/known-store.js';
import { ackEach, type Result } from '../io/ack-line.js';
import type { ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { runSubcommand } from '../options/subcommand.js';

/** `countersign grants list | revoke`: permissions that the user gave by answering "always". */
export const grants = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runSubcommand('grants', { list, revoke }, args, io);

async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('grants', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  expectNoMore('grants', positionals);
  return listFromStore(values.store, 'There are no grants', io, async (journal) => {
    const inForce = await grantsInForce(journal);
    if (values.json)
      for (const grant of inForce) printJson(io, { ...grant, text: patternInWords(grant.pattern) });
    else if (inForce.length === 0) say(io, 'There are no grants.');
    else for (const grant of inForce) io.stdout.write(`${grantText(grant)}\n`);
  });
}

async function revoke(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals: ids } = readOptions('grants', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
    by: { type: 'string' },
  });
  if (ids.length === 0)
    throw usage('Which grant should be revoked?', 'countersign grants revoke ID, as list shows it');
  const by = values.by ?? io.env['USER'] ?? 'command line';
  return withStore(values.store, io, 'write', (journal) =>
    ackEach(new Set(ids), { done: 'Revoked', json: values.json }, io, (id) => revokeOne(journal, id, by)),
  );
}

/** The owner of a session may change between reading it and sending to it; more often than this is a fault. */
const ROUNDS_MAX = 5;

/**
 * Recorded in a session that the grant applies to, by the owner of that session or, if it has none, by this process;
 * in the store itself if no such session is left. Other running sessions notice that the store changed, and read its
 * grants again.
 */
async function revokeOne(journal: Journal | null, grantId: string, by: string): Promise<Result> {
  const unknown = { ok: false, failure: { code: 'unknown_grant', grantId } } as const;
  if (!journal) return unknown;
  for (let round = 1; ; round++) {
    const grant = (await journal.grants('all')).find(({ id }) => id === grantId);
    if (!grant) return unknown;
    const sessionId = await sessionFor(journal, grant);
    const ack = sessionId
      ? await revokeIn(journal, sessionId, { type: 'revoke-grant', grantId, by })
      : await journal.revokeGrant({ type: 'grant.revoked', grantId, by, at: Date.now() });
    if (ack.ok || ack.failure.code !== 'session_idle' || round >= ROUNDS_MAX) return ack;
  }
}

async function sessionFor(journal: Journal, { scope, scopeKey }: Grant): Promise<string | undefined> {
  const sessions = await journal.list();
  const isFor = (each: (typeof sessions)[number]) =>
    ({ session: each.sessionId === scopeKey, project: each.workspace === scopeKey, user: true })[scope];
  return sessions.find(isFor)?.sessionId;
}

type RevokeGrant = { readonly type: 'revoke-grant'; readonly grantId: string; readonly by: string };

async function revokeIn(journal: Journal, sessionId: string, command: RevokeGrant): Promise<Ack> {
  const owned = await journal.own(sessionId, 'command');
  if (!owned.ok) {
    if (owned.failure.code === 'session_owned') return new RemoteClient(journal, sessionId).send(command);
    return owned;
  }
  try {
    const { grantId, by } = command;
    const info = await journal.session(sessionId);
    // The fact alone: resuming the session would also continue its open calls.
    return await journal.append({
      sessionId,
      expectedSeq: info?.seq ?? 0,
      token: owned.token,
      events: [{ type: 'grant.revoked', grantId, by, at: Date.now() }],
      views: [{ type: 'grant.revoked', grantId }],
      claims: [],
      consumed: [],
      sync: 'full',
    });
  } finally {
    await journal.release(sessionId, owned.token);
  }
}

/** Without those that have expired. */
async function grantsInForce(journal: Journal): Promise<readonly Grant[]> {
  const now = Date.now();
  return (await journal.grants('all')).filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

function grantText(grant: Grant): string {
  const { id, pattern, uses, expiresAt, by, at } = grant;
  const details = [
    scopeInWords(grant),
    uses === null ? 'any number of times' : `${uses} ${uses === 1 ? 'use' : 'uses'} left`,
    expiresAt === null ? 'until revoked' : `until ${timeOf(expiresAt)}`,
    `given by ${by} at ${timeOf(at)}`,
  ];
  return `${visibleLine(id)}  ${visibleLine(patternInWords(pattern))}\n  ${visibleLine(details.join(', '))}`;
}

function scopeInWords({ scope, scopeKey }: Grant): string {
  switch (scope) {
    case 'session':
      return `for the session ${scopeKey}`;
    case 'project':
      return `in every session of ${scopeKey}`;
    case 'user':
      return 'in every session of this user';
  }
}

const timeOf = (at: number): string => new Date(at).toISOString();
