import { type CallRequest, canonicalJson, type Event, type EventOf } from '@countersign/protocol';
import type { Consents } from '../world/consents.js';
import {
  expectedDecision,
  grantCovers,
  grantsCount,
  hookMayAllow,
  type Situation,
} from '../world/expected.js';
import type { CallFacts, EventCheck, History } from '../world/history.js';
import type { HookLedger } from '../world/hook-ledger.js';
import type { Complain } from '../world/invariants.js';
import { argsShownIn, SPECS, thingOf } from '../world/tool-specs.js';

/** Holds every question, answer, permit and grant against what people really saw and said. */
export const checkConsent =
  (complain: Complain, consents: Consents, hooks: HookLedger): EventCheck =>
  (history, event) => {
    const wrong = problemWith(history, event, consents, hooks);
    if (wrong) complain('consent', wrong);
  };

function problemWith(history: History, event: Event, consents: Consents, hooks: HookLedger): string | null {
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
    case 'call.blocked': {
      const facts = history.open.get(event.callId);
      if (!facts) return null;
      if (event.question.offers.some(({ grant }) => grant))
        return `${event.callId}: the sandbox offers more than this once`;
      if (argsShownIn(event.question.confirmation) !== canonicalJson(facts.args))
        return `${event.callId}: what is shown is not what would run`;
      return decisionFor(history, facts, null) === 'deny'
        ? `${event.callId} was asked about though it is denied`
        : null;
    }
    case 'call.planned': {
      const facts = history.open.get(event.callId);
      const advice = event.advice?.decision ?? null;
      // What hooks said of a run that the sandbox stopped is no longer requested.
      // Nor is what they said of a call that was granted before the session was resumed.
      if (!facts || facts.permit || facts.blocks > 0 || hooks.advised(event.callId, facts.args, advice))
        return null;
      return `hooks did not say ${advice ?? 'nothing'} of ${event.callId}`;
    }
    case 'call.rewritten':
      return !event.by.startsWith('hook ') || hooks.rewrote(event.callId, event.args)
        ? null
        : `no hook made that of ${event.callId}`;
    case 'call.requested':
      return problemWithFollowUp(history, event.request, hooks);
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

/** Calls that hooks may ask for one after another. */
const FOLLOW_UPS_MAX = 5;

function problemWithFollowUp(
  history: History,
  { callId, name, args, turn, followUp }: CallRequest,
  hooks: HookLedger,
): string | null {
  if (!followUp) return null;
  const parent = history.open.get(followUp.callId);
  if (parent?.turn.turn !== turn || !parent.end) return `${callId} follows nothing that has just ended`;
  if (parent.aborting) return `${callId} follows a call that was cancelled`;
  const depth = (parent.request.followUp?.depth ?? 0) + 1;
  if (followUp.depth !== depth || depth > FOLLOW_UPS_MAX) return `${callId} is ${followUp.depth} deep`;
  // Of a call that cannot be read, only the name is kept.
  const isReadable = SPECS.some((spec) => spec.name === name);
  const asked = hooks.after(followUp.callId, turn).some(({ tailCall }) => {
    const hasSameArgs = tailCall && canonicalJson(tailCall.args) === canonicalJson(args);
    return tailCall?.name === name && (hasSameArgs || !isReadable);
  });
  return asked ? null : `no hook asked for ${callId}`;
}

function problemWithPermit(
  history: History,
  facts: CallFacts,
  { permit: { by } }: EventOf<'call.granted'>,
  consents: Consents,
): string | null {
  const decision = decisionFor(history, facts);
  switch (by.type) {
    case 'policy': {
      // What a hook allows is permitted in its name.
      const byItself = facts.advice === 'allow' ? decisionFor(history, facts, null) : decision;
      return byItself === 'allow' ? null : `by policy, which says ${byItself} in mode ${history.mode}`;
    }
    case 'hook': {
      const { spec, advice } = facts;
      if (advice !== 'allow') return `by a hook, which says ${advice ?? 'nothing'}`;
      return spec && hookMayAllow(spec, thingOf(facts.args), history.mode)
        ? null
        : `by a hook, which may not in mode ${history.mode}`;
    }
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
      if (facts.advice === 'ask' || facts.advice === 'deny')
        return `by a grant, though a hook says ${facts.advice}`;
      if (facts.blocks > 0) return 'by a grant, though the sandbox asks';
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

function decisionFor(
  history: History,
  facts: CallFacts,
  advice: Situation['advice'] = facts.advice,
): 'allow' | 'ask' | 'deny' {
  const { spec, turn, request, args } = facts;
  if (!spec) return 'deny';
  const situation = { mode: history.mode, attended: turn.attended, origin: request.origin, advice };
  return expectedDecision(spec, thingOf(args), situation);
}
