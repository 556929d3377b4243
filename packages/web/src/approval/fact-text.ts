import { durationText } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import {
  type CancelReason,
  type Event,
  explain,
  type PermitSource,
  type Verdict,
} from '@countersign/protocol';

/** A fact in one sentence, for people who look back. */
export function factText(event: Event): string {
  return visibleLine(sentenceOf(event));
}

function sentenceOf(event: Event): string {
  switch (event.type) {
    case 'session.opened':
      return event.epoch > 1
        ? `The session was taken up again in ${event.workspace}, in ${event.mode} mode`
        : `The session began in ${event.workspace}, in ${event.mode} mode`;
    case 'policy.loaded':
      return `Rules were loaded (${event.hash.slice(0, 12)})`;
    case 'mode.changed':
      return `${event.by} switched to ${event.mode} mode`;
    case 'turn.started':
      return `Turn ${event.turn} began${event.attended === 'nobody' ? ', with nobody to ask' : ''}`;
    case 'turn.sealed':
      return `All calls of turn ${event.turn} were known`;
    case 'turn.ended':
      return `Turn ${event.turn} ended`;
    case 'call.requested': {
      const { origin, name, args } = event.request;
      return `${ORIGINS[origin]} asked for ${name} ${JSON.stringify(args)}`;
    }
    case 'call.planned':
      return `Planned: ${event.plan.title}. ${verdictText(event.verdict)}${
        event.advice
          ? `. The hook ${event.advice.by} said ${event.advice.decision}: ${event.advice.reason}`
          : ''
      }`;
    case 'call.hooked':
      return `Hooks ran ${event.when} it: ${event.notes
        .map(({ hook, said, reason }) => `${hook} said ${said}${reason === null ? '' : ` (${reason})`}`)
        .join('; ')}`;
    case 'call.asked':
      return 'A person was asked';
    case 'call.answered': {
      const { by, outcome, feedback } = event.answer;
      return `${by} answered ${outcome}${feedback === null ? '' : `: ${feedback}`}`;
    }
    case 'call.rewritten':
      return `${event.by} changed the arguments to ${JSON.stringify(event.args)}`;
    case 'call.granted':
      return `It may run: ${permitText(event.permit.by)}`;
    case 'call.started':
      return event.attempt > 1 ? `It started, for the ${event.attempt}. time` : 'It started';
    case 'call.retried':
      return `Tried again after ${durationText(event.delayMs)}: ${explain(event.because).message}`;
    case 'call.aborting':
      return `It is being stopped: ${reasonText(event.reason)}`;
    case 'call.finished':
      return 'The tool was done; hooks looked at what it came to';
    case 'call.blocked':
      return `The sandbox stopped it: ${explain(event.because).message} A person was asked whether it may go further`;
    case 'call.succeeded':
      return 'It succeeded';
    case 'call.failed':
      return `It failed: ${explain(event.failure).message}`;
    case 'call.cancelled':
      return `It was cancelled: ${reasonText(event.reason)}`;
    case 'message.added':
      return event.message.role === 'user'
        ? `${event.message.by} said something`
        : `${event.message.model} answered`;
    case 'history.compressed':
      return 'The history was summarised for the model';
    case 'history.masked':
      return `Results up to turn ${event.throughTurn} were replaced by references for the model`;
    case 'grant.added':
      return `${event.grant.by} gave a standing permission (${event.grant.scope})`;
    case 'grant.revoked':
      return `${event.by} took the standing permission ${event.grantId} back`;
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
      return `the standing permission ${by.grantId} covers it`;
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
      return 'its permission was taken back';
    case 'rules_changed':
      return `the rules in force now do not let it start: ${reason.reason}`;
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
