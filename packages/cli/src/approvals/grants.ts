import { RemoteClient } from '@countersign/attach';
import { visibleLine } from '@countersign/display';
import { type Journal } from '@countersign/engine';
import { patternInWords } from '@countersign/kernel';
import { type Ack, explain, type Failure, type Grant } from '@countersign/protocol';
import { missingStore, openJournal } from '../compose/compose.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { failureText, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions, readStore } from '../options/options.js';

/** `countersign grants list | revoke`: what may pass without a question because somebody once said "always". */
export async function grants(args: readonly string[], io: Io): Promise<ExitCode> {
  const [verb, ...rest] = args;
  if (verb === 'list') return list(rest, io);
  if (verb === 'revoke') return revoke(rest, io);
  throw usage(
    verb ? `grants has no "${verb}"` : 'grants needs a subcommand',
    'countersign grants list | revoke ID',
  );
}

async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('grants', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  expectNoMore('grants', positionals);
  const store = readStore(values.store);
  const missing = missingStore(store, io.env);
  if (missing !== null) {
    say(io, `There are no grants: there is no store at ${missing} yet.`);
    return EXIT.ok;
  }
  const journal = await openJournal(store, io.env);
  try {
    const inForce = await grantsInForce(journal);
    if (values.json)
      for (const grant of inForce) printJson(io, { ...grant, text: patternInWords(grant.pattern) });
    else if (inForce.length === 0) say(io, 'There are no grants.');
    else for (const grant of inForce) io.stdout.write(`${grantText(grant)}\n`);
    return EXIT.ok;
  } finally {
    await journal.close();
  }
}

async function revoke(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals: ids } = readOptions('grants', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
    by: { type: 'string' },
  });
  if (ids.length === 0)
    throw usage('Which grant should be revoked?', 'countersign grants revoke ID, as list shows it');
  const store = readStore(values.store);
  const by = values.by ?? io.env['USER'] ?? 'command line';
  // Looking for a grant must not make a store.
  const journal = missingStore(store, io.env) === null ? await openJournal(store, io.env) : null;
  try {
    let allRevoked = true;
    for (const grantId of new Set(ids)) {
      const failure = await revokeOne(journal, grantId, by);
      if (failure) allRevoked = false;
      if (values.json)
        printJson(io, { type: 'ack', id: grantId, ok: failure === null, ...(failure && errorOf(failure)) });
      else say(io, failure ? failureText(failure) : `Revoked ${grantId}.`);
    }
    return allRevoked ? EXIT.ok : EXIT.notAll;
  } finally {
    await journal?.close();
  }
}

const errorOf = (failure: Failure) => ({ error: { type: failure.code, ...explain(failure) } });

/** Owners come and go between our looking and our asking; more often than this is a fault. */
const ROUNDS_MAX = 5;

/**
 * Written down in a session that the grant is for: by its owner if a process
 * works on it, else here; by the store itself if no such session is left. Every other running session sees the store change
 * and looks at its grants again.
 */
async function revokeOne(journal: Journal | null, grantId: string, by: string): Promise<Failure | null> {
  const unknown = { code: 'unknown_grant', grantId } as const;
  if (!journal) return unknown;
  for (let round = 1; ; round++) {
    const grant = (await journal.grants('all')).find(({ id }) => id === grantId);
    if (!grant) return unknown;
    const sessionId = await sessionFor(journal, grant);
    const ack = sessionId
      ? await revokeIn(journal, sessionId, { type: 'revoke-grant', grantId, by })
      : await journal.revokeGrant({ type: 'grant.revoked', grantId, by, at: Date.now() });
    if (ack.ok) return null;
    if (ack.failure.code !== 'session_idle' || round >= ROUNDS_MAX) return ack.failure;
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
    // The fact alone: taking the session up would also continue with its open calls, which nobody asked for.
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

/** One that has expired allows nothing any more. */
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
