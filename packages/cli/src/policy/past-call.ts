import { visibleLine } from '@countersign/display';
import type { Recorded } from '@countersign/engine';
import { type ApprovalMode, cancelText, type Event, explain, type PermitSource } from '@countersign/protocol';
import { missingStore, openJournal } from '../compose/compose.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, usage } from '../io/failure-text.js';
import { type Io, printJson } from '../io/io.js';
import { readStore } from '../options/options.js';
import type { JudgingOptions } from './judge-each.js';
import { HASH_CHARS_SHOWN } from './verdict-text.js';

type PastOptions = JudgingOptions & { readonly call: string; readonly store?: string | undefined };

/** `countersign policy explain --call SESSION/CALL`: how a call was decided, as the journal has it. */
export async function explainPast(options: PastOptions, words: readonly string[], io: Io): Promise<ExitCode> {
  const supposing = (['policy', 'no-defaults', 'mode', 'workspace'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (words.length > 0 || supposing !== undefined)
    throw usage(
      `--call shows a past call, and cannot be combined with ${supposing ? `--${supposing}` : 'another call'}`,
      'countersign policy replay, to re-evaluate past calls with other rules',
    );
  const slash = options.call.indexOf('/');
  if (slash <= 0 || slash === options.call.length - 1)
    throw usage(`"${options.call}" does not name a call`, '--call SESSION/CALL, as approvals list shows it');
  const [sessionId, callId] = [options.call.slice(0, slash), options.call.slice(slash + 1)];
  const store = readStore(options.store);
  if (missingStore(store, io.env) !== null) throw new CommandFailure({ code: 'unknown_session', sessionId });
  const journal = await openJournal(store, io.env);
  try {
    const past = pastOf(await journal.read(sessionId, 0), callId);
    if (past === null) throw new CommandFailure({ code: 'unknown_call', callId });
    if (options.json) printJson(io, { call: options.call, ...past });
    else io.stdout.write(`${pastText(options.call, past)}\n`);
    return EXIT.ok;
  } finally {
    await journal.close();
  }
}

type PastCall = {
  /** Which rules were in force when it was last judged, and in which mode; null if it never was. */
  readonly policy: string | null;
  readonly mode: ApprovalMode | null;
  readonly events: readonly Recorded[];
};

/** An id may come again in a later turn: the latest call of that id is the one that is meant. */
function pastOf(recorded: readonly Recorded[], callId: string): PastCall | null {
  let policy: string | null = null;
  let mode: ApprovalMode | null = null;
  let judged: Pick<PastCall, 'policy' | 'mode'> = { policy, mode };
  let events: Recorded[] = [];
  for (const record of recorded) {
    const { event } = record;
    if (event.type === 'policy.loaded') policy = event.hash;
    if (event.type === 'session.opened' || event.type === 'mode.changed') mode = event.mode;
    if (event.type === 'call.requested' && event.request.callId === callId) {
      events = [record];
      judged = { policy: null, mode: null };
    }
    if (!('callId' in event) || event.callId !== callId) continue;
    events.push(record);
    if (event.type === 'call.planned') judged = { policy, mode };
  }
  return events.length === 0 ? null : { ...judged, events };
}

function pastText(call: string, { policy, mode, events }: PastCall): string {
  const steps = events.flatMap(({ event }) => inWords(event)).map((step) => `  ${visibleLine(step)}`);
  const rules =
    policy === null
      ? 'It was never evaluated.'
      : `Evaluated in mode ${String(mode)} with the policy ${policy.slice(0, HASH_CHARS_SHOWN)}.`;
  return [visibleLine(call), ...steps, rules].join('\n');
}

/** What each fact says to somebody who asks why. */
function inWords(event: Event): readonly string[] {
  switch (event.type) {
    case 'call.requested': {
      const { name, args, origin, at } = event.request;
      const who = { model: 'the model', person: 'a person', client: 'a program' }[origin];
      return [`${timeOf(at)} requested by ${who}: ${name} ${JSON.stringify(args)}`];
    }
    case 'call.planned':
      return [`planned: ${event.plan.title}`, `judged: ${event.verdict.decision}. ${event.verdict.reason}`];
    case 'call.asked':
      return [
        `${timeOf(event.question.askedAt)} asked the user, who could choose ${event.question.offers.map(({ outcome }) => outcome).join(', ')}`,
      ];
    case 'call.answered': {
      const { by, at, outcome, feedback } = event.answer;
      return [`${timeOf(at)} answered by ${by}: ${outcome}${feedback === null ? '' : ` (${feedback})`}`];
    }
    case 'call.hooked':
      return event.notes.map(
        ({ hook, source, said, reason, durationMs }) =>
          `hook ${hook} (${source}) ${event.when} the call: ${said}${reason === null ? '' : `: ${reason}`} (${durationMs} ms)`,
      );
    case 'call.finished':
      return [`${timeOf(event.at)} the tool has finished, and hooks check the result`];
    case 'call.blocked':
      return [
        `${timeOf(event.at)} stopped by the sandbox: ${explain(event.because).message}`,
        `asked the user again: ${event.verdict.reason}`,
      ];
    case 'call.rewritten':
      return [`changed by ${event.by}: ${JSON.stringify(event.args)}`];
    case 'call.granted':
      return [`granted by ${grantedBy(event.permit.by)}`];
    case 'call.started':
      return [`${timeOf(event.at)} started`];
    case 'call.retried':
      return [`${timeOf(event.at)} retried: ${explain(event.because).message}`];
    case 'call.aborting':
      return [`${timeOf(event.at)} asked to stop: ${cancelText(event.reason)}`];
    case 'call.succeeded':
      return [`${timeOf(event.at)} succeeded`];
    case 'call.failed':
      return [`${timeOf(event.at)} failed: ${explain(event.failure).message}`];
    case 'call.cancelled':
      return [`${timeOf(event.at)} cancelled: ${cancelText(event.reason)}`];
    case 'grant.added':
      return [`the answer created the grant ${event.grant.id}`];
    case 'session.opened':
    case 'policy.loaded':
    case 'mode.changed':
    case 'turn.started':
    case 'turn.sealed':
    case 'turn.ended':
    case 'grant.revoked':
    case 'message.added':
    case 'history.compressed':
    case 'history.masked':
      return [];
  }
}

function grantedBy(by: PermitSource): string {
  switch (by.type) {
    case 'policy':
      return by.rule === null
        ? 'policy, without a single deciding rule'
        : `policy, by ${by.rule.file}:${by.rule.line}`;
    case 'hook':
      return `the hook ${by.hook}`;
    case 'grant':
      return `the grant ${by.grantId}`;
    case 'person':
      return by.who;
  }
}

const timeOf = (at: number): string => new Date(at).toISOString();
