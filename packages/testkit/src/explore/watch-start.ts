import type { Findings } from './properties.js';
import type { Scene } from './scene.js';
import { isUndecided, type SeenCall, type Watching } from './seen.js';
import { conflict, digestStem, targetIn } from './truth.js';

/** A tool is about to be started in the world: everything that must be true by then. */
export function watchStart(
  watching: Watching,
  call: SeenCall,
  attempt: number,
  { session, world }: Pick<Scene, 'session' | 'world'>,
  findings: Findings,
): void {
  const { callId, licence } = call;
  const handed = session.calls.get(callId);
  const plan = handed && 'plan' in handed ? handed.plan : null;
  const target = handed ? targetIn(handed.request.args) : '';
  const isForIt = plan?.digest.startsWith(digestStem({ ...call, target })) === true;
  findings.hold('consent', isForIt, () => `${callId} runs with ${target} under ${plan?.digest}`);
  findings.hold(
    'consent',
    licence?.digest === plan?.digest,
    () => `${callId} runs ${plan?.digest}, permitted was ${licence?.digest}`,
  );
  if (!plan) return;

  const lost = licence?.grantId ? watching.grants.get(licence.grantId)?.gone : false;
  // Another attempt of what already ran goes on under the permit it had.
  if (licence?.grantId && call.starts === 0)
    findings.hold('grantGone', !lost, () => `${callId} started by ${licence.grantId}`);
  findings.hold('withdrawn', !call.stopped, () => `${callId} started after being cancelled`);

  const starts = call.starts + 1;
  if (plan.repeat === 'unsafe') findings.hold('once', starts <= 1, () => `${callId} started ${starts} times`);
  else findings.hold('attempts', starts <= world.attemptsMax, () => `${callId} started ${starts} times`);
  findings.hold(
    'exclusion',
    call.running === null,
    () => `attempt ${attempt} of ${callId} started beside ${call.running}`,
  );

  for (const other of watching.siblings(call)) {
    if (!other.plan) continue;
    const inTheWay = conflict(plan, other.plan);
    if (inTheWay && other.running !== null)
      findings.hold('exclusion', false, () => `${callId} runs beside ${other.callId}`);
    else if (inTheWay) findings.hold('exclusion', true, () => '');
    if (call.starts > 0 || call.moved || other.moved || other.index < call.index) continue;
    const mustWait = inTheWay || other.after === 'everything';
    if (mustWait)
      findings.hold('order', other.starts === 0, () => `${other.callId} started before ${callId}`);
  }
  if (watching.turnOf(call)?.start === 'together' && call.starts === 0) {
    const undecided = watching.siblings(call).find(isUndecided);
    findings.hold(
      'together',
      undecided === undefined,
      () => `${callId} started while ${undecided?.callId} was ${undecided?.status}`,
    );
  }
  watching.change(call, { starts, running: attempt });
  const running = [...watching.calls.values()].filter((each) => each.running !== null).length;
  findings.hold('running', running <= world.runningMax, () => `${running} calls run at once`);
}
