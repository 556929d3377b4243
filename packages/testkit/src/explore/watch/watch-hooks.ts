import type { Hooked, Input } from '@countersign/kernel';
import type { EventOf, Plan } from '@countersign/protocol';
import type { Findings } from '../world/properties.js';
import type { Scene } from '../world/scene.js';
import { isOver, type SeenCall, type Watching } from '../world/seen.js';
import { says, targetIn } from '../world/truth.js';

/** A plan was told: by what hooks said of it, or after their say, it is judged. */
export function watchPlan(watching: Watching, call: SeenCall, plan: Plan, input: Input): SeenCall {
  const before = JSON.stringify(call.plan?.resources);
  const moves = call.plan !== null && before !== JSON.stringify(plan.resources);
  const hooked = hookedIn(input);
  return watching.change(call, {
    plan,
    plans: call.plans + 1,
    moved: call.moved || moves,
    ...(hooked !== undefined && { advice: hooked?.advice?.decision ?? null }),
  });
}

/** The result of BeforeTool hooks while the call was planned; undefined where it was not shown to them. */
function hookedIn(input: Input): Hooked | null | undefined {
  if (input.type === 'plan.ended') return input.hooked;
  return input.type === 'answer' && input.fresh.type === 'rewritten' ? input.fresh.hooked : undefined;
}

export function watchHooked(
  { callId }: SeenCall,
  { when }: EventOf<'call.hooked'>,
  input: Input,
  findings: Findings,
): void {
  const ran = when === 'after' ? input.type === 'hooks.ended' : Boolean(hookedIn(input));
  findings.hold('hooks', ran, () => `no hook looked at ${callId} ${when} it ran`);
}

export function watchRewriting(
  watching: Watching,
  call: SeenCall,
  { args, by }: EventOf<'call.rewritten'>,
  input: Input,
  findings: Findings,
): void {
  const { callId } = call;
  const byHook = by.startsWith('hook ');
  const wished = byHook ? hookedIn(input)?.rewritten?.args : argsIn(input);
  findings.hold('rewritten', args === wished, () => `${callId} is to run with ${targetIn(args)}, says ${by}`);
  const furtherChanged = input.type === 'answer' && Boolean(hookedIn(input)?.rewritten);
  const unseen = byHook ? call.unseen : input.type === 'modify' || furtherChanged;
  watching.change(call, { target: targetIn(args), shown: null, unseen });
}

function argsIn(input: Input) {
  if (input.type === 'modify') return input.args;
  return input.type === 'answer' && input.fresh.type === 'rewritten' ? input.fresh.args : null;
}

/** The sandbox stopped a run. What follows is a question, and all that was agreed to before is used up. */
export function watchBlock(
  watching: Watching,
  call: SeenCall,
  { plan, question }: EventOf<'call.blocked'>,
  input: Input,
  findings: Findings,
): SeenCall {
  const { callId, licence, stopped } = call;
  const widened = input.type === 'tool.ended' && input.callId === callId ? input.widened : null;
  const isReported = widened?.ok === true && widened.plan === plan;
  findings.hold('blocked', isReported && !stopped, () => `${callId} is asked about, and nothing stopped it`);
  findings.hold('blocked', plan.digest !== licence?.digest, () => `${callId}: that was agreed to before`);
  const offers = question.offers.map(({ outcome }) => outcome).join();
  findings.hold('blocked', offers === 'proceed_once,cancel', () => `${callId}: on offer are ${offers}`);
  const planned = watchPlan(watching, call, plan, input);
  const anew = { plans: call.plans, blocked: true, advice: null, answer: null, agreed: null, licence: null };
  return watching.change(planned, anew);
}

/** A call that asks to be widened more often than this is not asked about any more. */
const BLOCKS_MAX = 8;

/** What hooks and sandbox reported had the right effect. */
export function watchReported(watching: Watching, scene: Scene, findings: Findings): void {
  const { input, facts } = scene;
  const call = 'callId' in input ? watching.latest(input.callId) : undefined;
  if (!call || facts.length === 0) return;
  const { callId } = call;
  if (input.type === 'plan.ended' && input.hooked) {
    const { rewritten } = input.hooked;
    findings.hold('hooks', isRecorded(scene), () => `that hooks looked at ${callId} is not recorded`);
    const runsAs = rewritten ? targetIn(rewritten.args) : call.target;
    findings.hold(
      'rewritten',
      call.target === runsAs,
      () => `${callId} is for ${call.target}, not ${runsAs}`,
    );
  }
  if (input.type === 'hooks.ended')
    findings.hold('hooks', isRecorded(scene), () => `that hooks looked at ${callId} is not recorded`);
  if (input.type === 'tool.ended' && !call.stopped) watchRunsEnd(watching, call, input, scene, findings);
}

const isRecorded = ({ facts }: Scene): boolean => facts.some(({ event }) => event.type === 'call.hooked');

function watchRunsEnd(
  watching: Watching,
  call: SeenCall,
  { outcome, widened, attempt }: Extract<Input, { type: 'tool.ended' }>,
  { world, before }: Scene,
  findings: Findings,
): void {
  const { callId, status } = call;
  const isBlocked = !outcome.ok && outcome.failure.code === 'sandbox_denied' && widened?.ok === true;
  const { attended = false } = before.turns.find(({ turn }) => turn === call.turn) ?? {};
  const mayAsk = attended && says(call, watching) !== 'deny';
  if (isBlocked && mayAsk && attempt <= BLOCKS_MAX)
    findings.hold(
      'blocked',
      status === 'awaiting_approval',
      () => `${callId} is ${status}, nobody was asked`,
    );
  if (world.hooksAfter.includes(call.tool))
    findings.hold('looked', !isOver(call), () => `${callId} is ${status}, and no hook has looked`);
}

/** Hooks are at what has finished and at nothing else, once, and are told when somebody cancels it. */
export function watchLooking(watching: Watching, { work }: Scene, findings: Findings): void {
  for (const { callId, finished, starts, stopped } of watching.calls.values()) {
    const looking = work.filter((effect) => effect.do === 'run-hooks' && effect.callId === callId);
    const [look] = looking;
    const asItShould = look
      ? look.do === 'run-hooks' && look.stamp === starts && look.stop === stopped
      : false;
    const holds = finished === null ? looking.length === 0 : looking.length === 1 && asItShould;
    if (finished || look) findings.hold('looked', holds, () => `${looking.length} looks at ${callId}`);
  }
}
