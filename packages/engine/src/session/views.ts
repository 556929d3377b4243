import type { Session } from '@countersign/kernel';
import type { Event, SettledCall, ToolCall } from '@countersign/protocol';
import type { CallRow, ViewChange } from '../journal/journal.js';

/**
 * The rows that lists and statistics are read from, derived fact by fact: they
 * are written with the facts and can be rebuilt from them at any time.
 */
export function viewChanges(event: Event, session: Session): readonly ViewChange[] {
  switch (event.type) {
    case 'call.asked': {
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
      const { digest, outcome, by, at, key } = event.answer;
      return [{ type: 'approval.answered', callId: event.callId, answer: { digest, outcome, by, at, key } }];
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
    case 'turn.started':
    case 'turn.sealed':
    case 'turn.ended':
    case 'call.requested':
    case 'call.planned':
    case 'call.started':
    case 'call.retried':
    case 'call.aborting':
      return NOTHING;
  }
}
const NOTHING: readonly ViewChange[] = [];

function rowOf(sessionId: string, call: SettledCall): CallRow {
  const { request, startedAt, endedAt, answer } = call;
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
    decidedBy: decidedBy(call),
    failure:
      call.status === 'error' ? call.failure.code : call.status === 'cancelled' ? call.reason.type : null,
  };
}

function decidedBy(call: ToolCall): string | null {
  if ('answer' in call && call.answer) return call.answer.by;
  if (!('permit' in call)) return null;
  const { by } = call.permit;
  switch (by.type) {
    case 'policy':
      return by.rule ? `${by.rule.file}:${by.rule.line}` : 'policy';
    case 'grant':
      return by.grantId;
    case 'person':
      return by.who;
  }
}
