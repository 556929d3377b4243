import { type ApprovalRow, attachSession, type Journal, type SessionShell } from '@countersign/engine';
import { explain, type Failure } from '@countersign/protocol';
import { openJournal, sessionParts } from './compose.js';
import { isOutcome } from './exec/approval-lines.js';
import { resultLine } from './exec/result-line.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { CommandFailure, failureText, usage } from './failure-text.js';
import { follow } from './follow.js';
import { type Io, printJson, say } from './io.js';
import { readOptions } from './options.js';
import { realWorkspace } from './places.js';
import { questionText } from './terminal/question-text.js';
import { visible } from './terminal/visible.js';

/** `countersign approvals list | answer`: what waits for a person, in any session on this machine. */
export async function approvals(args: readonly string[], io: Io): Promise<ExitCode> {
  const [verb, ...rest] = args;
  if (verb === 'list') return list(rest, io);
  if (verb === 'answer') return answer(rest, io);
  throw usage(
    verb ? `approvals has no "${verb}"` : 'approvals needs to know what to do',
    'countersign approvals list | answer',
  );
}

async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values } = readOptions('approvals', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
    verbose: { type: 'boolean', short: 'v' },
  });
  const journal = await openJournal(values.store, io.env);
  try {
    const rows = await journal.approvals();
    if (values.json) for (const row of rows) printJson(io, { id: idOf(row), ...row });
    else if (rows.length === 0) say(io, 'Nothing waits for an approval.');
    else for (const row of rows) io.stdout.write(`${values.verbose ? verbose(row) : brief(row)}\n`);
    return EXIT.ok;
  } finally {
    await journal.close();
  }
}

async function answer(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('approvals', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
    digest: { type: 'string' },
    feedback: { type: 'string' },
    by: { type: 'string' },
    key: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
  });
  const [id, outcome, ...extra] = positionals;
  if (!id || !isOutcome(outcome) || extra.length > 0) {
    throw usage(
      'An answer names an approval and an outcome',
      'countersign approvals answer ID proceed_once | cancel',
    );
  }
  const journal = await openJournal(values.store, io.env);
  try {
    const row = await findApproval(journal, id);
    const command = {
      type: 'answer',
      callId: row.callId,
      digest: values.digest ?? row.question?.digest ?? '',
      outcome,
      by: values.by ?? io.env['USER'] ?? 'command line',
      ...(values.feedback !== undefined && { payload: { feedback: values.feedback } }),
      ...(values.key !== undefined && { key: values.key }),
    } as const;
    const toolModules = values.tools ?? [];
    const policyFiles = values.policy ?? [];
    for (;;) {
      const attached = await attachTo(journal, row.sessionId, { toolModules, policyFiles }, io);
      const ack = await attached.client.send(command);
      // Its owner ended between our looking and our asking: take the session up ourselves.
      if (!ack.ok && ack.failure.code === 'session_idle') continue;
      if (attached.own) await carryOn(attached.own, row.callId, io);
      return report(ack.ok ? null : ack.failure, idOf(row), values.json ?? false, io);
    }
  } finally {
    await journal.close();
  }
}

/** Nobody works on the session, so what the answer sets free runs here, until all that is left waits for a person. */
async function carryOn(own: SessionShell, callId: string, io: Io): Promise<void> {
  const stop = new AbortController();
  const open = new Set(own.openTurns);
  const following = follow(own, stop.signal, {
    onSettled: (call) => {
      if (call.request.callId === callId && open.has(call.request.turn)) printJson(io, resultLine(call));
    },
  });
  await own.idle();
  // Closing the session lets its followers hear all there is, then ends them.
  await own.dispose();
  await following;
}

function report(failure: Failure | null, id: string, json: boolean, io: Io): ExitCode {
  if (json) {
    const error = failure && { type: failure.code, ...explain(failure) };
    printJson(io, { type: 'ack', id, ok: failure === null, ...(error && { error }) });
  } else say(io, failure ? failureText(failure) : `Answered ${id}.`);
  return failure ? EXIT.notAll : EXIT.ok;
}

async function attachTo(
  journal: Journal,
  sessionId: string,
  from: { readonly toolModules: readonly string[]; readonly policyFiles: readonly string[] },
  io: Io,
) {
  const info = await journal.session(sessionId);
  if (!info) throw new CommandFailure({ code: 'unknown_session', sessionId });
  const parts = await sessionParts(
    {
      ...from,
      workspace: await realWorkspace(info.workspace),
      env: io.env,
      onNotice: ({ file, line, text }) => say(io, `countersign: ${file}:${line}: ${text}`),
      onTrouble: (failure) => say(io, `countersign: ${failureText(failure)}`),
    },
    undefined,
  );
  const attached = await attachSession({ ...parts, journal, sessionId });
  if (!attached.ok) throw new CommandFailure(attached.failure);
  return attached;
}

type Found = Pick<ApprovalRow, 'sessionId' | 'callId'> & {
  readonly question: ApprovalRow['question'] | null;
};

/** By its whole id, or by the call's own id where that is unambiguous. One that no longer waits is still found by its whole id. */
async function findApproval(journal: Journal, id: string): Promise<Found> {
  const rows = await journal.approvals();
  const matches = rows.filter((row) => idOf(row) === id || row.callId === id);
  const [match] = matches;
  if (match && matches.length === 1) return match;
  if (matches.length > 1) {
    throw usage(
      `"${id}" is the id of ${matches.length} approvals`,
      `one of: ${matches.map(idOf).join(', ')}`,
    );
  }
  const slash = id.indexOf('/');
  if (slash > 0) return { sessionId: id.slice(0, slash), callId: id.slice(slash + 1), question: null };
  throw new CommandFailure({ code: 'unknown_call', callId: id });
}

const idOf = ({ sessionId, callId }: Pick<ApprovalRow, 'sessionId' | 'callId'>) => `${sessionId}/${callId}`;

const brief = (row: ApprovalRow) => `${visible(idOf(row))}  ${visible(row.title)}`;

function verbose(row: ApprovalRow): string {
  const offers = row.question.offers.map(
    ({ outcome, grant }) => `  ${outcome}${grant ? `: ${grant.text}` : ''}`,
  );
  return [visible(idOf(row)), questionText(row, false), ...offers, ''].join('\n');
}
