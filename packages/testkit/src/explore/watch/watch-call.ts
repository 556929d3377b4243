import type { Input } from '@countersign/kernel';
import type { CallEvent, Event, FailureCode, ToolOutcome } from '@countersign/protocol';
import type { Findings } from '../world/properties.js';
import type { SeenCall, Watching } from '../world/seen.js';
import { isCovered, mayBeLoosened, says, saysWithHooks, touchedBy } from '../world/truth.js';
import { watchBlock, watchHooked, watchPlan, watchRewriting } from './watch-hooks.js';
import { stillHolds } from './watch-start.js';

/** Take note of what happened to one call. Its status is already the new one. */
export function watchCall(
  watching: Watching,
  call: SeenCall,
  event: CallEvent,
  input: Input,
  findings: Findings,
): void {
  const { callId } = call;
  switch (event.type) {
    case 'call.hooked':
      return watchHooked(call, event, input, findings);
    case 'call.planned':
      watchPlan(watching, call, event.plan, input);
      return;
    case 'call.asked':
      return watchQuestion(watching, call, event.question, findings);
    case 'call.answered': {
      const answers = input.type === 'answer' && input.callId === callId;
      findings.hold('first', answers, () => `nobody answered ${callId}`);
      const { by, outcome, digest, key, at } = event.answer;
      watching.change(call, { answer: { by, outcome, digest, key, at } });
      return;
    }
    case 'call.rewritten':
      return watchRewriting(watching, call, event, input, findings);
    case 'call.granted':
      return watchPermit(watching, call, event.permit, input.at, findings);
    case 'call.started':
    case 'call.retried':
      // What counts is when its tool really starts.
      return;
    case 'call.finished': {
      const reported = input.type === 'tool.ended' && input.callId === callId ? input.outcome : null;
      findings.hold(
        'looked',
        event.outcome === reported,
        () => `hooks are shown a result that ${callId} did not have`,
      );
      watching.change(call, { finished: reported });
      return;
    }
    case 'call.blocked':
      return watchQuestion(
        watching,
        watchBlock(watching, call, event, input, findings),
        event.question,
        findings,
      );
    case 'call.aborting':
      findings.hold('stop', call.stopped, () => `${callId} was stopped, and nobody wanted it`);
      return;
    case 'call.succeeded':
    case 'call.failed':
    case 'call.cancelled':
      watchEnd(watching, call, event, input, findings);
      watching.change(call, { shown: null, finished: null });
      if (event.type === 'call.failed') noteRefusal(watching, callId, event.failure.code, input);
  }
}

function watchQuestion(
  watching: Watching,
  call: SeenCall,
  { digest, confirmation, offers }: Extract<Event, { type: 'call.asked' }>['question'],
  findings: Findings,
): void {
  const { callId, plan } = call;
  const shows = plan?.digest === digest && confirmation.title === digest;
  findings.hold('shown', shows, () => `${callId} plans ${plan?.digest}, shown was ${confirmation.title}`);
  const attended = watching.turnOf(call)?.attended === true;
  const isComplete = watching.stream?.turn !== call.turn;
  findings.hold('streamed', isComplete, () => `${callId} was asked about while its model spoke`);
  findings.hold('unattended', attended, () => `${callId} was asked about, and nobody is there`);
  findings.hold('denied', says(call, watching) !== 'deny', () => `${callId} was asked about, though denied`);
  findings.hold('hooks', call.advice !== 'deny', () => `${callId} was asked about, though a hook denies it`);
  const isForOnce = offers.every(({ grant }) => grant === null);
  if (call.advice === 'ask') findings.hold('hooks', isForOnce, () => `${callId}: always, though a hook asks`);
  if (plan?.needs) findings.hold('blocked', isForOnce, () => `${callId}: always, though the sandbox asks`);
  const patterns = offers.map(({ outcome, grant }) => [outcome, grant?.pattern ?? null] as const);
  const touches = plan ? touchedBy(plan) : [];
  watching.change(call, { shown: { digest, offers: new Map(patterns), touches }, unseen: false });
}

/** Consent, policy, or a grant in force: one of them must stand behind every permit. */
function watchPermit(
  watching: Watching,
  call: SeenCall,
  { digest, by }: Extract<Event, { type: 'call.granted' }>['permit'],
  at: number,
  findings: Findings,
): void {
  const { callId, plan } = call;
  const said = saysWithHooks(call, watching, call.advice);
  findings.hold('denied', says(call, watching) !== 'deny', () => `${callId} was permitted, though denied`);
  findings.hold('hooks', said !== 'deny', () => `${callId} was permitted, though a hook denies it`);
  if (call.advice === 'ask')
    findings.hold(
      'hooks',
      by.type === 'person',
      () => `a hook asks about ${callId}, and ${by.type} answered`,
    );
  if (call.blocked)
    findings.hold('blocked', by.type === 'person', () => `${callId} goes on, permitted by ${by.type}`);
  findings.hold('edited', !call.unseen, () => `${callId} was permitted before its editor saw it`);
  findings.hold('consent', plan?.digest === digest, () => `${callId} plans ${plan?.digest}, not ${digest}`);
  switch (by.type) {
    case 'person':
      findings.hold('consent', call.agreed === digest, () => `nobody agreed to ${digest}`);
      break;
    case 'policy':
      findings.hold('consent', says(call, watching) === 'allow', () => `policy does not allow ${digest}`);
      break;
    case 'hook': {
      const mayAllow = call.advice === 'allow' && mayBeLoosened(call, watching);
      findings.hold('hooks', mayAllow, () => `a hook may not allow ${digest}`);
      break;
    }
    case 'grant':
      watchGrantUse(watching, call, by.grantId, at, findings);
  }
  const grantId = by.type === 'grant' ? by.grantId : null;
  const licence = { digest, grantId, by: by.type, epoch: watching.epoch };
  watching.change(call, { licence, startsOnPermit: 0, shown: null });
}

function watchGrantUse(
  watching: Watching,
  call: SeenCall,
  grantId: string,
  at: number,
  findings: Findings,
): void {
  const { callId, plan } = call;
  const grant = watching.grants.get(grantId);
  const covers = grant !== undefined && plan !== null && isCovered(grant.pattern, call, plan);
  findings.hold('grantUsed', covers, () => `${grantId} does not cover ${callId}`);
  findings.hold('grantUsed', watching.mode !== 'confirm_always', () => `${grantId} used in confirm_always`);
  if (!grant) return;
  const { usesLeft, expiresAt, gone } = grant;
  findings.hold('grantUsed', expiresAt === null || at < expiresAt, () => `${grantId} has expired`);
  findings.hold('grantGone', !gone, () => `${grantId} is revoked and permitted ${callId}`);
  findings.hold('grantUses', usesLeft !== 0, () => `${grantId} has no use left for ${callId}`);
  watching.setGrant(grantId, { ...grant, usesLeft: usesLeft === null ? null : usesLeft - 1 });
}

/** The answer itself ended the call: a repeated answer must get the same reply. */
function noteRefusal(watching: Watching, callId: string, code: FailureCode, input: Input): void {
  const call = watching.calls.get(callId);
  if (input.type !== 'answer' || input.callId !== callId || !call?.answer) return;
  watching.change(call, { answer: { ...call.answer, refusedWith: code } });
}

type EndEvent = Extract<Event, { type: 'call.succeeded' | 'call.failed' | 'call.cancelled' }>;

function watchEnd(
  watching: Watching,
  call: SeenCall,
  event: EndEvent,
  input: Input,
  findings: Findings,
): void {
  const { callId, starts } = call;
  findings.hold('truthful', call.running === null, () => `${callId} ended while its tool was at work`);
  if (call.stopped && starts > 0) {
    findings.hold('withdrawn', event.type === 'call.cancelled', () => `${callId} ended as ${call.status}`);
  }
  const report = 'callId' in input && input.callId === callId ? reportIn(call, input, findings) : null;
  switch (event.type) {
    case 'call.succeeded':
      findings.hold(
        'truthful',
        report?.ok === true && report.result === event.result,
        () => `${callId} succeeded unreported`,
      );
      return;
    case 'call.failed': {
      const { code } = event.failure;
      if (report) {
        findings.hold('truthful', !report.ok && report.failure === event.failure, () => `${callId}: ${code}`);
        return;
      }
      break;
    }
    case 'call.cancelled':
      watchReason(watching, call, event.reason, input, findings);
      findings.hold(
        'truthful',
        event.partial?.complete !== true || isWhole(report, input),
        () => `${callId} was cancelled as finished, and its tool did not say so`,
      );
  }
  const tells = starts > 0 ? event.partial?.mayHaveHappened === true : event.partial === null;
  const says = () => `${callId} started ${starts} times, and says ${JSON.stringify(event.partial)}`;
  findings.hold('truthful', tells, says);
}

/** Whether the tool came to its own end: by its own word, or before it was told to stop. */
const isWhole = (report: ToolOutcome | null, input: Input): boolean =>
  input.type === 'tool.ended' ? input.complete : report?.ok === true;

/** The result of a call, now that its tool or the hooks that check it are done; null if neither is. */
function reportIn(call: SeenCall, input: Input, findings: Findings): ToolOutcome | null {
  const { callId, finished } = call;
  switch (input.type) {
    case 'tool.ended':
      return input.outcome;
    case 'hooks.ended':
      findings.hold(
        'looked',
        finished !== null,
        () => `${callId} ended by hooks that had nothing to look at`,
      );
      return input.outcome ?? finished;
    default:
      return null;
  }
}

function watchReason(
  watching: Watching,
  call: SeenCall,
  reason: Extract<Event, { type: 'call.cancelled' }>['reason'],
  input: Input,
  findings: Findings,
): void {
  const { callId, licence } = call;
  switch (reason.type) {
    case 'declined': {
      const declines = input.type === 'answer' && input.callId === callId && input.outcome === 'cancel';
      findings.hold('first', declines, () => `nobody declined ${callId}`);
      return;
    }
    case 'aborted':
      findings.hold('stop', call.stopped, () => `nobody cancelled ${callId}`);
      return;
    case 'grant_revoked': {
      const gone = licence?.grantId != null && watching.grants.get(licence.grantId)?.gone === true;
      findings.hold('grantGone', gone, () => `${callId} was permitted by ${licence?.grantId}, which stands`);
      return;
    }
    case 'withdrawn': {
      const isOver = input.type === 'tool.ended' || input.type === 'nested.withdrawn';
      findings.hold('stop', isOver, () => `${callId} was withdrawn, and no run ended`);
      return;
    }
    case 'rules_changed': {
      const isTakenUp = input.type === 'open' && licence !== null;
      const holds = isTakenUp && !stillHolds(call, watching);
      findings.hold('takenUp', holds, () => `${callId} was cancelled, though ${licence?.by} lets it start`);
    }
  }
}
