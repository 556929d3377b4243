import type { Session } from '@countersign/kernel';
import type { Event, PermitSource, RuleRef, SettledCall } from '@countersign/protocol';
import type { CallRow, ViewChange } from '../journal/index.js';

/**
 * The rows that lists and statistics are read from, derived fact by fact: they
 * are written with the facts and can be rebuilt from them at any time.
 */
export function viewChanges(event: Event, session: Session): readonly ViewChange[] {
  switch (event.type) {
    case 'call.asked':
    case 'call.blocked': {
      const call = session.calls.get(event.callId);
      if (call?.status !== 'awaiting_approval') return NOTHING;
      const { request, plan, verdict, question } = call;
      const { callId, name: tool } = request;
      return [
        {
          type: 'approval.asked',
          row: { sessionId: session.id, callId, tool, title: plan.title, question, verdict },
        },
      ];
    }
    case 'call.answered': {
      const { digest, outcome, by, at, key, payloadDigest } = event.answer;
      const answer = { digest, outcome, by, at, key, ...(payloadDigest !== undefined && { payloadDigest }) };
      return [{ type: 'approval.answered', callId: event.callId, answer }];
    }
    case 'call.rewritten':
      return [{ type: 'approval.withdrawn', callId: event.callId }];
    case 'call.granted':
      return event.permit.by.type === 'grant'
        ? [{ type: 'approval.withdrawn', callId: event.callId }]
        : NOTHING;
    case 'call.succeeded':
    case 'call.failed':
    case 'call.cancelled': {
      const call = session.calls.get(event.callId);
      return call && 'endedAt' in call ? [{ type: 'call.settled', row: rowOf(session.id, call) }] : NOTHING;
    }
    case 'grant.added':
      return [{ type: 'grant.added', grant: event.grant }];
    case 'grant.revoked':
      return [{ type: 'grant.revoked', grantId: event.grantId }];
    case 'session.opened':
    case 'policy.loaded':
    case 'mode.changed':
    case 'command.accepted':
    case 'session.deleted':
    case 'turn.started':
    case 'turn.sealed':
    case 'turn.ended':
    case 'message.added':
    case 'history.compressed':
    case 'history.masked':
    case 'call.requested':
    case 'call.planned':
    case 'call.hooked':
    case 'call.finished':
    case 'call.started':
    case 'call.retried':
    case 'call.aborting':
      return NOTHING;
  }
}
const NOTHING: readonly ViewChange[] = [];

function rowOf(sessionId: string, call: SettledCall): CallRow {
  const { request, startedAt, endedAt, answer } = call;
  const by = decidedBy(call);
  const { decision, rule = null } = call.verdict ?? {};
  return {
    sessionId,
    callId: request.callId,
    turn: request.turn,
    tool: request.name,
    status: call.status,
    requestedAt: request.at,
    startedAt,
    endedAt,
    waitedMs: answer ? answer.at - request.at : 0,
    decidedBy: by && nameOf(by, call),
    ...(by && { decider: by.type }),
    ...(decision && { verdict: decision }),
    ...(rule && { rule: placeOf(rule) }),
    failure:
      call.status === 'error' ? call.failure.code : call.status === 'cancelled' ? call.reason.type : null,
  };
}

/** What let the call run or kept it from running; null for one that ended before anything decided. */
function decidedBy(call: SettledCall): PermitSource | null {
  if (call.answer) return { type: 'person', who: call.answer.by };
  if (call.permit) return call.permit.by;
  if (call.status !== 'error') return null;
  switch (call.failure.code) {
    case 'hook_denied':
      return { type: 'hook', hook: call.failure.hook };
    case 'policy_violation':
    case 'nobody_to_ask':
      return { type: 'policy', rule: null };
    default:
      return null;
  }
}

const placeOf = ({ file, line }: RuleRef): string => `${file}:${line}`;

function nameOf(by: PermitSource, call: SettledCall): string {
  switch (by.type) {
    case 'policy': {
      const denial =
        call.status === 'error' && call.failure.code === 'policy_violation' ? call.failure : null;
      return by.rule ? placeOf(by.rule) : (denial?.rule ?? 'policy');
    }
    case 'grant':
      return by.grantId;
    case 'hook':
      return `hook ${by.hook}`;
    case 'person':
      return by.who;
  }
}
