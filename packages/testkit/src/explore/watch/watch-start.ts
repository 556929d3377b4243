import type { Plan } from '@countersign/protocol';
import type { Findings } from '../world/properties.js';
import type { Scene } from '../world/scene.js';
import { isOver, isUndecided, type SeenCall, type Watching } from '../world/seen.js';
import { conflict, digestStem, mayBeLoosened, says, targetIn } from '../world/truth.js';

type Stage = Pick<Scene, 'session' | 'world'>;

/** A tool is about to be started in the world: everything that must be true by then. */
export function watchStart(
  watching: Watching,
  call: SeenCall,
  attempt: number,
  { session, world }: Stage,
  findings: Findings,
): void {
  const { callId, licence } = call;
  const handed = session.calls.get(callId);
  const plan = handed && 'plan' in handed ? handed.plan : null;
  const target = handed ? targetIn(handed.request.args) : '';
  const runs = plan?.digest ?? 'nothing';
  const isForIt = runs.startsWith(digestStem({ ...call, target }));
  findings.hold('consent', isForIt, () => `${callId} runs with ${target} under ${runs}`);
  findings.hold('consent', licence?.digest === runs, () => `${callId} runs ${runs}, not ${licence?.digest}`);
  const isComplete = watching.stream?.turn !== call.turn;
  findings.hold('streamed', isComplete, () => `${callId} started while its model spoke`);
  findings.hold('withdrawn', !call.stopped, () => `${callId} started after being cancelled`);
  findings.hold('exclusion', call.running === null, () => `${callId} started beside itself`);
  findings.hold('looked', call.finished === null, () => `${callId} started while hooks check its result`);
  if (plan) watchRepetition(call, plan, world.attemptsMax, findings);
  if (plan) watchNeighbours(watching, call, plan, findings);
  if (call.startsOnPermit === 0) watchFirstStart(watching, call, findings);
  if (licence !== null && licence.epoch < watching.epoch)
    findings.hold('takenUp', stillHolds(call, watching), () => `${callId} started on an old permit`);
  const { starts, startsOnPermit } = call;
  findings.hold(
    'reports',
    attempt === starts + 1,
    () => `${callId} starts for the ${starts + 1}. time as ${attempt}`,
  );
  watching.change(call, {
    starts: starts + 1,
    startsOnPermit: startsOnPermit + 1,
    running: attempt,
    startedIn: watching.epoch,
    ...(licence && { licence: { ...licence, epoch: watching.epoch } }),
  });
  const running = countRunning(watching);
  findings.hold('running', running <= world.runningMax, () => `${running} calls run at once`);
}

function watchRepetition(
  { callId, starts, startsOnPermit }: SeenCall,
  { repeat }: Plan,
  attemptsMax: number,
  findings: Findings,
) {
  const said = () => `${callId} started ${starts + 1} times, ${startsOnPermit + 1} on one permit`;
  if (repeat !== 'safe') findings.hold('once', startsOnPermit === 0, said);
  // A person who is asked again may start it once more, however often it has been.
  else findings.hold('attempts', startsOnPermit === 0 || starts < attemptsMax, said);
}

function watchNeighbours(watching: Watching, call: SeenCall, plan: Plan, findings: Findings): void {
  const { callId } = call;
  for (const other of watching.siblings(call)) {
    const inTheWay = other.plan !== null && conflict(plan, other.plan);
    if (inTheWay) findings.hold('exclusion', !isAtWork(other), () => `${callId} runs beside ${other.callId}`);
    if (call.starts > 0 || call.moved || other.moved) continue;
    if (other.index > call.index && (inTheWay || other.after === 'everything')) {
      findings.hold('order', other.starts === 0, () => `${other.callId} started before ${callId}`);
    }
    if (other.index < call.index && call.after === 'everything') {
      findings.hold('order', isOver(other), () => `${callId} did not wait for ${other.callId}`);
    }
  }
}

/** Another attempt continues under the permit and the start rule that the first had. */
function watchFirstStart(watching: Watching, call: SeenCall, findings: Findings): void {
  const { callId } = call;
  const grantId = call.licence?.grantId ?? null;
  if (grantId !== null) {
    findings.hold('grantGone', !watching.grants.get(grantId)?.gone, () => `${callId} started by ${grantId}`);
  }
  if (watching.turnOf(call)?.start === 'together') {
    const undecided = watching.siblings(call).find(isUndecided);
    findings.hold('together', !undecided, () => `${callId} started while ${undecided?.callId} was undecided`);
  }
}

/** What a process that took the session up leaves permitted is permitted by it from now on, whatever comes later. */
export function watchKept(watching: Watching, findings: Findings): void {
  for (const call of [...watching.calls.values()]) {
    const { licence, callId } = call;
    if (call.status !== 'scheduled' || licence === null || licence.epoch === watching.epoch) continue;
    findings.hold('takenUp', stillHolds(call, watching), () => `${callId} is left with an old permit`);
    watching.change(call, { licence: { ...licence, epoch: watching.epoch } });
  }
}

/** Whether a permit of an earlier process is one by the rules and the mode in force now. */
export function stillHolds(call: SeenCall, watching: Watching): boolean {
  const said = says(call, watching);
  if (said !== 'ask') return said === 'allow';
  switch (call.licence?.by) {
    case 'person':
      return true;
    case 'grant':
      return watching.mode !== 'confirm_always';
    case 'hook':
      return mayBeLoosened(call, watching);
    case 'policy':
    case undefined:
      return false;
  }
}

/** Calls that are permitted and have not started: something must stand in the way of each. */
export function watchWaiting(watching: Watching, { world }: Stage, findings: Findings): void {
  if (countRunning(watching) >= world.runningMax) return;
  for (const call of watching.calls.values()) {
    if (call.status !== 'scheduled' || call.turn !== watching.turns[0]?.turn) continue;
    findings.hold('prompt', isHeldBack(watching, call), () => `${call.callId} could run, and does not`);
  }
}

function isHeldBack(watching: Watching, call: SeenCall): boolean {
  const siblings = watching.siblings(call);
  if (watching.turnOf(call)?.start === 'together' && siblings.some(isUndecided)) return true;
  return siblings.some((other) => {
    // A moved call waits for the calls ahead of it by then, and a call that ended unstarted passes on what it waited for.
    if (call.moved || other.moved) return true;
    if (other.index > call.index) return false;
    if (isOver(other)) return other.starts === 0;
    if (call.after === 'everything' || other.plan === null || call.plan === null) return true;
    return conflict(call.plan, other.plan);
  });
}

const countRunning = ({ calls }: Watching): number => [...calls.values()].filter(isAtWork).length;

/** Its tool runs, or hooks look at what it left. */
const isAtWork = ({ running, finished }: SeenCall): boolean => running !== null || finished !== null;
