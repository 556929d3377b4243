import type { Permit, Verdict } from '@countersign/protocol';
import type { CallItem } from './transcript.js';

/** Who or what decided about a call, and why, in one sentence; null as long as nothing has. */
export function decisionText(item: CallItem): string | null {
  const { call, permit, verdict, waitedMs } = item;
  const after = waitedMs === null ? '' : ` after ${durationText(waitedMs)}`;
  if (call.status === 'awaiting_approval' && call.answer === null)
    return `Waiting for an answer. ${verdict?.reason ?? ''}`.trim();
  if (call.status === 'cancelled' && call.reason.type === 'declined') {
    const { by, feedback, stop } = call.reason;
    const words = feedback === null ? '' : `: ${feedback}`;
    return `Declined by ${by}${after}${stop ? ', who stopped the turn' : ''}${words}`;
  }
  if (permit) return `${permittedBy(permit)}${after}${reasonFor(permit, verdict)}`;
  if (call.status === 'error' && verdict?.decision === 'deny') return `Denied${reasonText(verdict)}`;
  return null;
}

/** A length of time as people say it, in at most six characters. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

function permittedBy({ by }: Permit): string {
  switch (by.type) {
    case 'policy':
      return 'Allowed';
    case 'grant':
      return `Allowed by the grant ${by.grantId}`;
    case 'hook':
      return `Allowed by the hook ${by.hook}`;
    case 'person':
      return `Allowed by ${by.who}`;
  }
}

/** A person needs none, and a grant was the reason to let pass what would have been asked about. */
function reasonFor({ by }: Permit, verdict: Verdict | null): string {
  if (verdict === null) return '';
  if (by.type === 'hook') return `: ${verdict.reason}`;
  return by.type === 'policy' ? reasonText(verdict) : '';
}

/** Most reasons name the rule themselves. */
function reasonText({ rule, reason }: Verdict): string {
  if (rule === null) return `: ${reason}`;
  const place = `${rule.file}:${rule.line}`;
  if (reason.includes(place)) return `: ${reason}`;
  return rule.name === null
    ? ` by the rule in ${place}: ${reason}`
    : ` by rule "${rule.name}" (${place}): ${reason}`;
}
