import { attachSession, readSession, sendToOwner } from '@countersign/attach';
import { isOutcome, questionText } from '@countersign/channels';
import { followSession } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import { type ApprovalRow, type Journal, readEach, type SessionShell } from '@countersign/engine';
import { type Ack, type Command, isSettled, OUTCOMES, type Question } from '@countersign/protocol';
import { type Composed, openJournal, type SessionConfig, sessionParts } from '../compose/compose.js';
import { listFromStore } from '../compose/known-store.js';
import { resultLine } from '../exec/result-line.js';
import { ackLine } from '../io/ack-line.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, failureText, messageHandlers, sayDamaged, usage } from '../io/failure-text.js';
import { untilInterrupted } from '../io/interruption.js';
import { type Io, printJson, say } from '../io/io.js';
import { answerWays } from '../options/answer-ways.js';
import { expectNoMore, readOptions, readSandbox, readStore } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { runSubcommand } from '../options/subcommand.js';
import { PAYLOAD_OPTIONS, readArgs, readPayload } from './answer-payload.js';

/** `countersign approvals list | answer`: the pending approvals of all sessions on this machine. */
export const approvals = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runSubcommand('approvals', { list, answer }, args, io);

async function list(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('approvals', args, {
    json: { type: 'boolean' },
    store: { type: 'string' },
    verbose: { type: 'boolean', short: 'v' },
  });
  expectNoMore('approvals', positionals);
  return listFromStore(values.store, 'No approvals are pending', io, async (journal) => {
    const { rows, damaged } = await readEach(
      async () => (await journal.list()).map(({ sessionId }) => sessionId),
      () => journal.approvals(),
      (sessionId) => journal.approvals({ sessionId }),
    );
    const code = sayDamaged(io, damaged, 'its questions are not listed');
    if (values.json) for (const row of rows) printJson(io, { id: idOf(row), ...row });
    else if (rows.length === 0 && damaged.size === 0) say(io, 'No approvals are pending.');
    else
      for (const row of rows)
        io.stdout.write(`${values.verbose ? verbose(row, io.stdout.columns) : brief(row)}\n`);
    return code;
  });
}

async function answer(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('approvals', withAnswersIn(args), {
    ...PAYLOAD_OPTIONS,
    json: { type: 'boolean' },
    store: { type: 'string' },
    digest: { type: 'string' },
    by: { type: 'string' },
    key: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    sandbox: { type: 'string' },
  });
  const [id, outcome, ...extra] = positionals;
  if (!id || extra.length > 0) throw notAnAnswer();
  const journal = await openJournal(readStore(values.store), io.env);
  try {
    const row = await findApproval(journal, id, outcome === undefined ? notAnAnswer : unknownCall);
    if (!isOutcome(outcome)) throw notAnOutcome(outcome, row.question);
    const { digest = row.digest, by = io.env['USER'] ?? 'command line', key } = values;
    const answered = { callId: row.callId, digest, by };
    const payload = readPayload(outcome, values, row.question, row.answeredQuestion ?? null);
    const command: Command =
      outcome === 'modify_with_editor' && values.args !== undefined
        ? { type: 'modify', ...answered, args: readArgs(values.args, row.question) }
        : { type: 'answer', ...answered, outcome, payload, ...(key !== undefined && { key }) };
    if (command.type === 'answer' && outcome === 'modify_with_editor')
      throw usage('This command opens no editor', 'proceed_once --args JSON');
    const toolModules = values.tools ?? [];
    const policyFiles = values.policy ?? [];
    const flags = { sandbox: readSandbox(values.sandbox) };
    const from = { store: readStore(values.store), toolModules, policyFiles, flags };
    // Ctrl-C withdraws an unconfirmed command; one that was carried out in the meantime is reported.
    const { attached, ack } = await untilInterrupted(io, (signal) =>
      sendToOwner(() => attachTo(journal, row.sessionId, from, io), command, signal),
    );
    if (attached.own) await carryOn(attached.own, attached.openTurns, row.callId, io);
    await attached.leave();
    return report(ack, idOf(row), command.type, values.json ?? false, io);
  } finally {
    await journal.close();
  }
}

/** No process owns the session, so the answered calls run here, until only pending questions remain. */
async function carryOn(own: SessionShell, open: readonly number[], callId: string, io: Io): Promise<void> {
  const stop = new AbortController();
  const following = followSession(own, stop.signal, {
    onFact: ({ call }) => {
      if (!call || !isSettled(call) || call.request.callId !== callId) return;
      if (open.includes(call.request.turn)) printJson(io, resultLine(call));
    },
  });
  await own.idle();
  // Closing the session delivers all events to its followers, then ends them.
  await own.dispose();
  await following;
}

/** `--json JSON` gives the answers in the form in which they are acknowledged. */
const withAnswersIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((word, at) => {
    if (word.startsWith('--json=')) return ['--json', `--answers=${word.slice('--json='.length)}`];
    const isGiven = args[at - 1] === '--json' && /^\s*[[{"]/.test(word);
    return isGiven ? [`--answers=${word}`] : [word];
  });

function notAnOutcome(outcome: string | undefined, question: Question | null): CommandFailure {
  const problem =
    outcome === undefined ? 'An answer needs an outcome' : `"${visibleLine(outcome)}" is not an outcome`;
  if (!question) return usage(problem, `one of: ${OUTCOMES.join(', ')}`);
  return usage(problem, ['one of these, after the id:', ...answerWays(question)].join('\n    '));
}

function report(ack: Ack, id: string, sent: Command['type'], json: boolean, io: Io): ExitCode {
  if (json) printJson(io, ackLine(id, ack));
  else if (!ack.ok) say(io, failureText(ack.failure));
  else if (sent === 'modify') say(io, `Changed ${id}. The new question is pending.`);
  else say(io, ack.repeated ? `${id} already has this answer. Nothing more is needed.` : `Answered ${id}.`);
  if (ack.ok) return EXIT.ok;
  return ack.failure.code === 'given_up' ? EXIT.interrupted : EXIT.notAll;
}

/** A session, whichever process owns it, with the tools and rules that it would have here. */
export async function attachTo(
  journal: Journal,
  sessionId: string,
  from: Pick<SessionConfig, 'store' | 'toolModules' | 'policyFiles'> & Partial<Pick<SessionConfig, 'flags'>>,
  io: Io,
) {
  const info = await journal.session(sessionId);
  // A session without events has no questions and no workspace.
  if (!info || info.seq === 0) throw new CommandFailure({ code: 'unknown_session', sessionId });
  const { parts, servers } = await sessionParts({
    frontEnd: 'command',
    flags: {},
    ...from,
    workspace: await realWorkspace(info.workspace),
    session: 'known',
    env: io.env,
    ...messageHandlers(io),
  });
  await servers?.readyForOpenCalls(journal, sessionId);
  const attached = await attachSession({ ...parts, journal, sessionId });
  if (!attached.ok || !attached.own) await servers?.close();
  if (!attached.ok) throw new CommandFailure(attached.failure);
  const openTurns = attached.own?.openTurns ?? [];
  return { ...attached, openTurns, leave: () => leaveOwn(attached.own, servers) };
}

async function leaveOwn(own: SessionShell | null, servers: Composed['servers']): Promise<void> {
  await own?.dispose();
  await servers?.close();
}

const unknownCall = (callId: string) => new CommandFailure({ code: 'unknown_call', callId });
const notAnAnswer = () =>
  usage(
    'An answer names an approval and an outcome',
    'countersign approvals answer ID proceed_once | cancel',
  );

type Found = Pick<ApprovalRow, 'sessionId' | 'callId'> & {
  readonly digest: string;
  /** Null if it is no longer pending. */
  readonly question: Question | null;
  /** As it was shown, if it was answered: a repeated answer is recognised by what it carries. */
  readonly answeredQuestion?: Question | null;
};

/** By its whole id, or by the call's own id where that is unambiguous. One that no longer waits is still found by its whole id. */
async function findApproval(
  journal: Journal,
  id: string,
  unknown: (id: string) => CommandFailure,
): Promise<Found> {
  const rows = await journal.approvals();
  const matches = rows.filter((row) => idOf(row) === id || row.callId === id);
  const [match] = matches;
  if (match && matches.length === 1) return { ...match, digest: match.question.digest };
  if (matches.length > 1) {
    throw usage(
      `"${id}" is the id of ${matches.length} approvals`,
      `one of: ${matches.map(idOf).join(', ')}`,
    );
  }
  const slash = id.indexOf('/');
  if (slash <= 0) throw unknown(id);
  const named = { sessionId: id.slice(0, slash), callId: id.slice(slash + 1) };
  // A repeated answer is acknowledged, not refused.
  const given = await journal.answerOf(named.sessionId, named.callId);
  if (given) {
    const answeredQuestion = await lastQuestion(journal, named);
    return { ...named, digest: given.digest, question: null, answeredQuestion };
  }
  const question = await questionInFacts(journal, named);
  return { ...named, digest: question?.digest ?? '', question };
}

/** The store's list may be incomplete; the events are authoritative. */
async function questionInFacts(
  journal: Journal,
  { sessionId, callId }: Pick<ApprovalRow, 'sessionId' | 'callId'>,
): Promise<Question | null> {
  if (!(await journal.session(sessionId))) return null;
  const call = (await readSession(journal, sessionId)).calls.get(callId);
  return call?.status === 'awaiting_approval' ? call.question : null;
}

async function lastQuestion(
  journal: Journal,
  { sessionId, callId }: Pick<ApprovalRow, 'sessionId' | 'callId'>,
): Promise<Question | null> {
  let last: Question | null = null;
  for (const { event } of await journal.read(sessionId, 0))
    if ((event.type === 'call.asked' || event.type === 'call.blocked') && event.callId === callId)
      last = event.question;
  return last;
}

const idOf = ({ sessionId, callId }: Pick<ApprovalRow, 'sessionId' | 'callId'>) => `${sessionId}/${callId}`;

const brief = (row: ApprovalRow) => `${visibleLine(idOf(row))}  ${visibleLine(row.title)}`;

function verbose(row: ApprovalRow, columns: number | undefined): string {
  return [
    visibleLine(idOf(row)),
    questionText(row, { colour: false, extent: 'whole', columns }).text,
    ...answerWays(row.question).map((way) => `  ${way}`),
    '',
  ].join('\n');
}
