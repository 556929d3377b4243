import { visibleLine } from '@countersign/display';
import {
  type CancelReason,
  type Event,
  explain,
  type PermitSource,
  type Verdict,
} from '@countersign/protocol';
import { durationText } from './decision-text.js';

/** A fact in one sentence, for people who look back: on the page and by `policy explain --call`. */
export function factText(event: Event): string {
  return visibleLine(sentenceOf(event));
}

function sentenceOf(event: Event): string {
  switch (event.type) {
    case 'session.opened':
      return event.epoch > 1
        ? `The session was resumed in ${event.workspace}, in ${event.mode} mode`
        : `The session started in ${event.workspace}, in ${event.mode} mode`;
    case 'policy.loaded':
      return `Rules were loaded (${event.hash.slice(0, 12)})`;
    case 'mode.changed':
      return `${event.by} switched to ${event.mode} mode`;
    case 'turn.started':
      return `Turn ${event.turn} started${event.attended === 'nobody' ? ', without a user to ask' : ''}`;
    case 'turn.sealed':
      return `All calls of turn ${event.turn} were received`;
    case 'turn.ended':
      return `Turn ${event.turn} ended`;
    case 'call.requested': {
      const { origin, name, args } = event.request;
      return `${ORIGINS[origin]} requested ${name} ${JSON.stringify(args)}`;
    }
    case 'call.planned':
      return `Planned: ${event.plan.title}. ${verdictText(event.verdict)}${
        event.advice
          ? `. The hook ${event.advice.by} said ${event.advice.decision}: ${event.advice.reason}`
          : ''
      }`;
    case 'call.hooked':
      return `Hooks ran ${event.when} it: ${event.notes
        .map(
          ({ hook, source, said, reason, durationMs }) =>
            `${hook} (${source}) said ${said}${reason === null ? '' : `: ${reason}`} (${durationMs} ms)`,
        )
        .join('; ')}`;
    case 'call.asked':
      return `The user was asked, and could choose ${event.question.offers.map(({ outcome }) => outcome).join(', ')}`;
    case 'call.answered': {
      const { by, outcome, feedback } = event.answer;
      return `${by} answered ${outcome}${feedback === null ? '' : `: ${feedback}`}`;
    }
    case 'call.rewritten':
      return `${event.by} changed the arguments to ${JSON.stringify(event.args)}`;
    case 'call.granted':
      return `It may run: ${permitText(event.permit.by)}`;
    case 'call.started':
      return event.attempt > 1 ? `It started (attempt ${event.attempt})` : 'It started';
    case 'call.retried':
      return `Retried after ${durationText(event.delayMs)}: ${explain(event.because).message}`;
    case 'call.aborting':
      return `It is being stopped: ${reasonText(event.reason)}`;
    case 'call.finished':
      return 'The tool finished; hooks checked the result';
    case 'call.blocked':
      return `The sandbox stopped it: ${explain(event.because).message} The user was asked to allow it`;
    case 'call.succeeded':
      return 'It succeeded';
    case 'call.failed':
      return `It failed: ${explain(event.failure).message}`;
    case 'call.cancelled':
      return `It was cancelled: ${reasonText(event.reason)}`;
    case 'message.added':
      return event.message.role === 'user'
        ? `${event.message.by} sent a message`
        : `${event.message.model} answered`;
    case 'history.compressed':
      return event.summary === ''
        ? 'The history was cleared for the model'
        : 'The history was summarised for the model';
    case 'history.masked':
      return `Results up to turn ${event.throughTurn} were replaced by references for the model`;
    case 'command.accepted':
      return `${event.by} sent a command that has one effect even if it is sent again${
        event.key === null ? '' : ` (key ${event.key})`
      }`;
    case 'session.deleted':
      return `${event.by} deleted the session ${event.sessionId}`;
    case 'grant.added':
      return `${event.grant.by} created a grant (${event.grant.scope})`;
    case 'grant.revoked':
      return `${event.by} revoked the grant ${event.grantId}`;
  }
}

const ORIGINS = { model: 'The model', person: 'A person', client: 'A client' } as const;

function verdictText({ decision, rule, reason }: Verdict): string {
  const by = rule === null ? '' : ` by ${rule.name ?? 'a rule'} (${rule.tier}, ${rule.file}:${rule.line})`;
  return `Rules say ${DECISIONS[decision]}${by}: ${reason}`;
}

export const DECISIONS = { allow: 'allow', ask_user: 'ask', deny: 'deny' } as const;

function permitText(by: PermitSource): string {
  switch (by.type) {
    case 'policy':
      return by.rule === null ? 'rules allow it' : `the rule in ${by.rule.file}:${by.rule.line} allows it`;
    case 'grant':
      return `the grant ${by.grantId} allows it`;
    case 'hook':
      return `the hook ${by.hook} allows it`;
    case 'person':
      return `${by.who} allowed it`;
  }
}

function reasonText(reason: CancelReason): string {
  switch (reason.type) {
    case 'declined':
      return `${reason.by} declined${reason.feedback === null ? '' : `: ${reason.feedback}`}`;
    case 'aborted':
      return `${reason.by} stopped it`;
    case 'grant_revoked':
      return 'its grant was revoked';
    case 'withdrawn':
      return 'the call that asked it ended';
    case 'rules_changed':
      return `the current rules do not allow it to start: ${reason.reason}`;
  }
}

/** When it happened, where the fact says so. */
export function momentOf(event: Event): number | null {
  switch (event.type) {
    case 'call.requested':
      return event.request.at;
    case 'call.asked':
      return event.question.askedAt;
    case 'call.answered':
      return event.answer.at;
    case 'message.added':
      return event.message.at;
    case 'grant.added':
      return event.grant.at;
    default:
      return 'at' in event ? event.at : null;
  }
}
