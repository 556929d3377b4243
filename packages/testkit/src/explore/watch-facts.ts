import type { Input } from '@countersign/kernel';
import type { Event, Status } from '@countersign/protocol';
import type { Findings } from './properties.js';
import { asSeen, isOver, type SeenCall, type Watching } from './seen.js';
import { isCovered, says, targetIn, touchedBy } from './truth.js';

/** A fact as it was published, and the status its call had right after. */
export type Fact = { readonly event: Event; readonly status: Status | null };

/** SPEC L1, written down a second time. A call stays where it is when it is edited or tried again. */
export const MOVES_OF_SPEC: { readonly [from in Status | 'new']: readonly Status[] } = {
  new: ['validating'],
  validating: ['awaiting_approval', 'scheduled', 'error', 'cancelled'],
  awaiting_approval: ['awaiting_approval', 'scheduled', 'cancelled', 'error'],
  scheduled: ['executing', 'cancelled'],
  executing: ['executing', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
};

/** Take note of a fact, and object to it where it may not be. */
export function watchFact(
  watching: Watching,
  { event, status }: Fact,
  input: Input,
  findings: Findings,
): void {
  switch (event.type) {
    case 'session.opened':
      findings.hold(
        'moves',
        event.epoch === watching.epoch + 1,
        () => `epoch ${event.epoch} follows ${watching.epoch}`,
      );
      watching.epoch = event.epoch;
      watching.mode = event.mode;
      return;
    case 'policy.loaded':
      watching.policy = event.hash === 'strict' ? 'strict' : 'usual';
      return;
    case 'mode.changed':
      watching.mode = event.mode;
      return;
    case 'turn.started':
      watching.turns = [
        ...watching.turns,
        { turn: event.turn, start: event.start, attended: event.attended === 'somebody' },
      ];
      return;
    case 'turn.sealed':
      return;
    case 'turn.ended':
      return watchTurnEnd(watching, event.turn, findings);
    case 'grant.added':
      return watchGrant(watching, event, input, findings);
    case 'grant.revoked':
      // Known since the command was accepted.
      return;
    case 'call.requested': {
      const { callId, name, args, turn, index, waitForPrevious } = event.request;
      findings.hold('settled', !watching.calls.has(callId), () => `the id ${callId} is in use`);
      findings.hold('moves', status === 'validating', () => `a new call is ${status}`);
      watching.calls.set(callId, {
        ...NEW,
        callId,
        tool: name,
        target: targetIn(args),
        turn,
        index,
        after: waitForPrevious ? 'everything' : 'conflicts',
      });
      return;
    }
    default: {
      const call = watching.calls.get(event.callId);
      findings.hold(
        'settled',
        call !== undefined && !isOver(call),
        () => `${event.type} for ${event.callId}, which is over`,
      );
      if (!call || status === null) return;
      watchMove(call, status, event.type, findings);
      watchCall(watching, watching.change(call, { status }), event, input, findings);
    }
  }
}

const NEW = {
  status: 'validating',
  plan: null,
  plans: 0,
  moved: false,
  shown: null,
  answer: null,
  agreed: null,
  licence: null,
  starts: 0,
  running: null,
  stopped: false,
} as const;

function watchMove(call: SeenCall, to: Status, why: string, findings: Findings): void {
  const stays = call.status === to && !isOver(call);
  const allowed = stays || MOVES_OF_SPEC[call.status].includes(to);
  findings.hold('moves', allowed, () => `${why} moved ${call.callId} from ${call.status} to ${to}`);
}

type CallEvent = Exclude<Extract<Event, { callId: string }>, { type: 'grant.added' }>;

function watchCall(
  watching: Watching,
  call: SeenCall,
  event: CallEvent,
  input: Input,
  findings: Findings,
): void {
  const { callId } = call;
  switch (event.type) {
    case 'call.planned': {
      const { plan } = event;
      const touchesOther =
        call.plan !== null && JSON.stringify(call.plan.resources) !== JSON.stringify(plan.resources);
      watching.change(call, { plan, plans: call.plans + 1, moved: call.moved || touchesOther });
      return;
    }
    case 'call.asked': {
      const { digest, confirmation, offers } = event.question;
      const shows = call.plan?.digest === digest && confirmation.title === digest;
      findings.hold(
        'shown',
        shows,
        () => `${callId} would run ${call.plan?.digest}, shown was ${confirmation.title}`,
      );
      findings.hold('unattended', watching.turnOf(call)?.attended === true, () => `${callId} was asked about`);
      findings.hold('denied', says(call, watching) !== 'deny', () => `${callId} was asked about, though denied`);
      const patterns = offers.map(({ outcome, grant }) => [outcome, grant?.pattern ?? null] as const);
      const touches = call.plan ? touchedBy(call.plan) : [];
      watching.change(call, { shown: { digest, offers: new Map(patterns), touches } });
      return;
    }
    case 'call.answered':
      findings.hold('first', input.type === 'answer' && input.callId === callId, () => `nobody answered ${callId}`);
      findings.hold('first', call.answer === null, () => `${callId} was answered before`);
      watching.change(call, { answer: event.answer });
      return;
    case 'call.rewritten':
      watching.change(call, { target: targetIn(event.args), shown: null });
      return;
    case 'call.granted':
      return watchPermit(watching, call, event, findings);
    case 'call.started':
    case 'call.retried':
      // What counts is when its tool really starts.
      return;
    case 'call.aborting':
      findings.hold('stop', call.stopped, () => `${callId} was stopped, and nobody wanted it`);
      return;
    case 'call.succeeded':
    case 'call.failed':
    case 'call.cancelled':
      watchEnd(call, event, input, findings);
      watching.change(call, { shown: null });
  }
}

/** Consent, policy, or a grant in force: one of them must stand behind every permit. */
function watchPermit(
  watching: Watching,
  call: SeenCall,
  { permit }: Extract<Event, { type: 'call.granted' }>,
  findings: Findings,
): void {
  const { callId, plan } = call;
  const said = says(call, watching);
  const grantId = permit.by.type === 'grant' ? permit.by.grantId : null;
  findings.hold('denied', said !== 'deny', () => `${callId} was permitted, though denied`);
  findings.hold(
    'consent',
    plan?.digest === permit.digest,
    () => `${callId} plans ${plan?.digest}, permitted is ${permit.digest}`,
  );

  const agreed = call.agreed === permit.digest;
  if (permit.by.type === 'person') findings.hold('consent', agreed, () => `nobody agreed to ${permit.digest}`);
  else if (grantId === null)
    findings.hold('consent', said === 'allow', () => `policy does not allow ${permit.digest}`);
  if (grantId !== null) {
    const grant = watching.grants.get(grantId);
    const covers = grant !== undefined && plan !== null && isCovered(grant.pattern, call, plan);
    findings.hold('grantUsed', covers, () => `${grantId} does not cover ${permit.digest}`);
    findings.hold('grantUsed', watching.mode !== 'confirm_always', () => `${grantId} was used in confirm_always`);
    if (grant) {
      findings.hold('grantGone', !grant.gone, () => `${grantId} is revoked and permitted ${callId}`);
      findings.hold('grantUses', grant.usesLeft !== 0, () => `${grantId} has no use left for ${callId}`);
      watching.setGrant(grantId, { ...grant, usesLeft: grant.usesLeft && grant.usesLeft - 1 });
    }
  }
  watching.change(call, { licence: { digest: permit.digest, grantId }, shown: null });
}

type EndEvent = Extract<Event, { type: 'call.succeeded' | 'call.failed' | 'call.cancelled' }>;

function watchEnd(call: SeenCall, event: EndEvent, input: Input, findings: Findings): void {
  const { callId, starts } = call;
  findings.hold('truthful', call.running === null, () => `${callId} ended while its tool was at work`);
  if (call.stopped && starts > 0) {
    findings.hold(
      'withdrawn',
      event.type === 'call.cancelled',
      () => `${callId} was cancelled and ended as ${call.status}`,
    );
  }
  if (event.type === 'call.succeeded') {
    const reported = input.type === 'tool.ended' && input.callId === callId && input.outcome.ok;
    findings.hold('truthful', starts > 0 && reported, () => `${callId} succeeded, which nobody reported`);
    return;
  }
  const inTheDark = event.type === 'call.cancelled' || event.failure.code === 'interrupted';
  const tells =
    inTheDark && starts > 0 ? event.partial?.mayHaveHappened === true : starts > 0 || event.partial === null;
  findings.hold(
    'truthful',
    tells,
    () => `${callId} started ${starts} times, and says ${JSON.stringify(event.partial)}`,
  );
}

function watchTurnEnd(watching: Watching, number: number, findings: Findings): void {
  const [oldest, ...others] = watching.turns;
  findings.hold('complete', oldest?.turn === number, () => `turn ${number} ended, the oldest is ${oldest?.turn}`);
  for (const call of [...watching.calls.values()]) {
    if (call.turn !== number) continue;
    findings.hold('complete', isOver(call), () => `turn ${number} ended while ${call.callId} was ${call.status}`);
    watching.calls.delete(call.callId);
  }
  watching.turns = others;
}

function watchGrant(
  watching: Watching,
  { grant, callId }: Extract<Event, { type: 'grant.added' }>,
  input: Input,
  findings: Findings,
): void {
  const answered = input.type === 'answer' && input.callId === callId ? input : null;
  const shown = answered && watching.calls.get(callId)?.shown?.offers.get(answered.outcome);
  const asShown = JSON.stringify(shown ?? null) === JSON.stringify(grant.pattern);
  findings.hold(
    'grantMade',
    asShown,
    () => `${grant.id} allows ${JSON.stringify(grant.pattern)}, shown was ${JSON.stringify(shown)}`,
  );
  findings.hold(
    'grantMade',
    grant.uses === (answered?.payload.uses ?? null),
    () => `${grant.id} has ${grant.uses} uses`,
  );
  watching.setGrant(grant.id, asSeen(grant));
}
