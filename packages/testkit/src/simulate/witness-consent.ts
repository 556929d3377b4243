import { canonicalJson, type Event, type EventOf } from '@countersign/protocol';
import type { Consents } from './consents.js';
import { expectedDecision, grantCovers, grantsCount } from './expected.js';
import type { CallFacts, History, Witness } from './history.js';
import type { Complain } from './invariants.js';
import { argsShownIn, thingOf } from './tool-specs.js';

/** Holds every question, answer, permit and grant against what people really saw and said. */
export const witnessConsent =
  (complain: Complain, consents: Consents): Witness =>
  (history, event) => {
    const wrong = problemWith(history, event, consents);
    if (wrong) complain('consent', wrong);
  };

function problemWith(history: History, event: Event, consents: Consents): string | null {
  switch (event.type) {
    case 'call.asked': {
      const facts = history.open.get(event.callId);
      if (!facts?.plan) return `${event.callId} was asked about without a plan`;
      if (event.question.digest !== facts.plan.digest)
        return `${event.callId}: the question is not about the plan`;
      if (argsShownIn(event.question.confirmation) !== canonicalJson(facts.args)) {
        return `${event.callId}: what is shown is not what would run`;
      }
      return decisionFor(history, facts) === 'deny'
        ? `${event.callId} was asked about though it is denied`
        : null;
    }
    case 'call.answered':
      return consents.behind(event.callId, event.answer).length > 0
        ? null
        : `${event.answer.by} never said ${event.answer.outcome} to ${event.callId} as shown`;
    case 'grant.added': {
      const answer = history.open.get(event.callId)?.answer;
      return answer && consents.allowsGrant(event.grant, event.callId, answer)
        ? null
        : `nobody chose the grant ${JSON.stringify(event.grant.pattern)} of ${event.callId}`;
    }
    case 'call.granted': {
      const facts = history.open.get(event.callId);
      if (!facts?.plan) return `${event.callId} was granted without a plan`;
      if (event.permit.digest !== facts.plan.digest)
        return `${event.callId}: the permit is for something else`;
      const wrong = problemWithPermit(history, facts, event, consents);
      return wrong && `${event.callId} (${facts.request.name}) was granted: ${wrong}`;
    }
    default:
      return null;
  }
}

function problemWithPermit(
  history: History,
  facts: CallFacts,
  { permit: { by } }: EventOf<'call.granted'>,
  consents: Consents,
): string | null {
  const decision = decisionFor(history, facts);
  switch (by.type) {
    case 'policy':
      return decision === 'allow' ? null : `by policy, which says ${decision} in mode ${history.mode}`;
    case 'person': {
      const said = facts.answer ? consents.behind(facts.request.callId, facts.answer) : [];
      const agreed = said.filter(({ who, outcome }) => who === by.who && outcome !== 'cancel');
      if (agreed.length === 0) return `${by.who} did not agree`;
      if (decision === 'deny') return 'though policy denies it by now';
      const args = canonicalJson(facts.args);
      return agreed.some((consent) => consent.args === args) ? null : `${by.who} agreed to other arguments`;
    }
    case 'grant': {
      const found = history.grants.get(by.grantId);
      if (!found) return 'by a grant that nobody gave';
      const { grant, taken, revoked } = found;
      const { spec } = facts;
      const on = thingOf(facts.args);
      if (revoked) return 'by a grant that was revoked';
      if (grant.uses !== null && taken >= grant.uses) return `by a grant whose ${grant.uses} uses are taken`;
      if (grant.expiresAt !== null && facts.request.at >= grant.expiresAt)
        return 'by a grant that had expired';
      if (!spec || !grantCovers(grant.pattern, spec, on))
        return `by a grant for ${JSON.stringify(grant.pattern)}`;
      return grantsCount(spec, on, history.mode)
        ? null
        : `by a grant, which counts for nothing in mode ${history.mode}`;
    }
  }
}

function decisionFor(history: History, facts: CallFacts): 'allow' | 'ask' | 'deny' {
  const { spec, turn, request, args } = facts;
  if (!spec) return 'deny';
  const situation = { mode: history.mode, attended: turn.attended, origin: request.origin };
  return expectedDecision(spec, thingOf(args), situation);
}
