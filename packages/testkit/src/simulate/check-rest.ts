import type { SessionShell } from '@countersign/engine';
import { activeTurn, type Effect, emptySession, evolve, type Session, wanted } from '@countersign/kernel';
import { isSettled } from '@countersign/protocol';
import { type Scene, SESSION } from './scene.js';
import type { Life } from './world/life.js';

/** Nothing happens any more by itself: what must hold between any two steps is looked at now. */
export async function checkAtRest(scene: Scene, depth: 'quick' | 'thorough'): Promise<void> {
  const { life } = scene;
  await scene.outside.collect();
  if (life?.session && !life.session.ended) await checkLife(scene, life, life.session);
  checkWatchers(scene);
  checkGone(scene);
  if (depth === 'thorough') await checkStore(scene);
}

async function checkLife(scene: Scene, life: Life, session: SessionShell): Promise<void> {
  const { held, complain, history } = scene;
  const { session: state, idle } = session.inspect();
  const isKeptWaiting =
    held.some(({ what, life: id }) => id === life.id && (what === 'append' || what === 'read')) ||
    life.time.pending('delay') > 0;
  if (!idle) {
    if (!isKeptWaiting) complain('rest', `life ${life.id} has mail that it does not open`);
    return;
  }
  const live = summary(state);
  const folded = summary(history.folded);
  if (live !== folded) complain('fold', `live is ${live}\nwritten is ${folded}`);
  checkWork(scene, life, session);
  checkProgress(scene, life, state);
  checkRevoked(scene, life, state);
  checkStopping(scene, life);
  await checkViews(scene, state);
}

function checkWork({ complain, world, profile, history }: Scene, life: Life, session: SessionShell): void {
  const { session: state, underWay } = session.inspect();
  const key = (work: Pick<Effect, 'do' | 'callId' | 'turn' | 'stamp'>) =>
    `${work.do} ${work.callId} of turn ${work.turn}, ${work.stamp}`;
  const wants = new Set(wanted(state).map(key));
  const does = new Set(underWay.map(key));
  for (const work of does)
    if (!wants.has(work)) complain('work', `${work} is under way, and nobody wants it`);

  const plans = underWay.filter((work) => work.do === 'plan-call').length;
  const hasRoomToPlan = plans + life.plansStuck < profile.limits.plansMax;
  for (const work of wants) {
    if (does.has(work) || (work.startsWith('plan-call') && !hasRoomToPlan)) continue;
    complain('work', `${work} is wanted, and nobody does it`);
  }

  const running = new Set(
    world.running(life).map(({ facts, attempt }) => `${facts.request.callId} ${attempt}`),
  );
  const looking = new Set(world.hooks.lookings(life).map(({ callId }) => callId));
  for (const work of underWay) {
    const call = state.calls.get(work.callId);
    const isStopping = call?.status === 'executing' && call.aborting;
    if (work.do === 'run-hooks' && !looking.delete(work.callId) && !isStopping)
      complain('work', `hooks should look at ${work.callId}, and do not`);
  }
  for (const callId of looking) complain('work', `hooks look at ${callId}, and the session does not know`);
  for (const work of underWay) {
    if (work.do !== 'run-tool') continue;
    const name = `${work.callId} ${work.stamp}`;
    const call = state.calls.get(work.callId);
    const mayStillWait = call?.status === 'executing' && call.delayMs > 0;
    const isPlannedAnew = world.wasBlocked(work.callId, work.stamp);
    if (!running.delete(name) && !mayStillWait && !isPlannedAnew)
      complain('work', `${name} should run, and does not in the world`);
  }
  for (const name of running) complain('work', `${name} runs in the world, and the session does not know`);
  for (const facts of history.open.values()) {
    const call = state.calls.get(facts.request.callId);
    if (facts.end && call && !isSettled(call))
      complain('fold', `${facts.request.callId} ended, and is ${call.status}`);
  }
}

/** A turn in which all that is left is ready to start, and nothing does, would wait forever. */
function checkProgress({ complain }: Scene, life: Life, state: Session): void {
  const turn = activeTurn(state);
  if (!turn || life.state !== 'alive') return;
  const left = turn.ids.flatMap((id) => state.calls.get(id) ?? []).filter((call) => !isSettled(call));
  if (left.length === 0) complain('rest', `turn ${turn.turn} has nothing left to do and does not end`);
  else if (left.every(({ status }) => status === 'scheduled')) {
    complain('rest', `turn ${turn.turn} has only calls that could start, and none does`);
  }
}

/** What was told to stop is stopping: a batch that was aborted, and everything in a session that is being left. */
function checkStopping({ complain, history, batches, disk, world }: Scene, life: Life): void {
  if (disk.appendsFailing > 0 || disk.readsFailing > 0 || life.time.pending('delay') > 0) return;
  for (const { abort, numbers, life: scheduledBy } of batches) {
    if (!abort.signal.aborted || scheduledBy !== life) continue;
    const going = history.calls.find(
      ({ request, end, aborting }) => !end && !aborting && numbers.includes(Number(request.args['n'])),
    );
    if (going) complain('work', `${going.request.callId} goes on, though its batch was aborted`);
  }
  if (life.state !== 'closing') return;
  for (const { facts, signal } of world.running(life)) {
    if (!signal.aborted)
      complain('work', `${facts.request.callId} goes on, though the session is being left`);
  }
}

/** A closed session has no timers any more. */
function checkGone({ lives, complain }: Scene): void {
  for (const { id, state, time } of lives) {
    const left = time.pending('timer') + time.pending('delay');
    if (state === 'over' && left > 0)
      complain('leftovers', `life ${id} is over and left ${left} timers behind`);
  }
}

/** What another process revoked is known here by now, unless the journal could not be read. */
function checkRevoked({ complain, history, disk, held }: Scene, life: Life, state: Session): void {
  const mayNotKnow =
    life.state !== 'alive' ||
    disk.readsFailing > 0 ||
    life.time.pending('delay') > 0 ||
    held.some(({ what, life: id }) => id === life.id && what === 'read');
  if (mayNotKnow) return;
  for (const call of state.calls.values()) {
    if (call.status !== 'scheduled' || call.permit.by.type !== 'grant') continue;
    const { grantId } = call.permit.by;
    if (!history.grants.get(grantId)?.revoked) continue;
    complain('consent', `${call.request.callId} may still start by ${grantId}, which was revoked`);
  }
}

async function checkViews({ complain, audit }: Scene, state: Session): Promise<void> {
  const rows = (await audit.approvals()).filter(({ sessionId }) => sessionId === SESSION);
  const listed = rows.map(({ callId, question }) => `${callId} ${question.digest}`);
  const waiting = [...state.waiting].flatMap((id) => {
    const call = state.calls.get(id);
    return call?.status === 'awaiting_approval' && call.step === 'asked'
      ? [`${id} ${call.question.digest}`]
      : [];
  });
  if (listed.sort().join() !== waiting.sort().join()) {
    complain('views', `listed are [${listed.join()}], waiting are [${waiting.join()}]`);
  }
  const info = await audit.session(SESSION);
  if (info?.mode !== state.mode)
    complain('views', `the store says ${info?.mode}, the session is in ${state.mode}`);
}

function checkWatchers({ life, held, watchers, history, complain, lives }: Scene): void {
  for (const { state, pace, next, followed } of watchers) {
    if (state !== 'following' || pace === 'slow' || !followed) continue;
    const isReading = held.some(({ what, life: id }) => id === followed.id && what === 'read');
    const isCurrent = followed.id === life?.id && life.session && !life.session.ended;
    const seq = isCurrent ? (life.session?.seq ?? 0) : null;
    if (seq !== null && next < seq && !isReading) {
      complain(
        'order',
        `a subscriber waits at ${next}, ${seq} facts are there (${history.events.length} written)`,
      );
    }
    const over = lives.find(({ id, state: was }) => id === followed.id && was === 'over');
    if (over && !isReading)
      complain('leftovers', `a subscriber still waits for life ${followed.id}, which is over`);
  }
}

/** What the store holds, compared with all that was ever written, and folded from scratch. */
async function checkStore({ audit, history, complain, profile }: Scene): Promise<void> {
  if (history.events.length === 0) return;
  const recorded = await audit.read(SESSION, 0);
  const session = emptySession(SESSION);
  let next = 0;
  for (const { seq, event } of recorded) {
    for (; next < seq; next++) {
      const mayBeGone = profile.keep === 'open-turns' && history.mayBeDropped(next);
      if (!mayBeGone)
        complain('durable', `fact ${next} (${history.events[next]?.type}) is gone from the store`);
    }
    next = seq + 1;
    if (event !== history.events[seq]) return complain('durable', `fact ${seq} is not what was written`);
    evolve(session, event);
  }
  if (next !== history.events.length) {
    complain('durable', `the store has ${next} facts, ${history.events.length} were acknowledged`);
  }
  const scratch = summary(session);
  const folded = summary(history.folded);
  if (scratch !== folded) complain('fold', `from the store: ${scratch}\nas written: ${folded}`);
}

/** All of a session that decides anything, as text. Lists of what could start may hold what is no longer true. */
function summary(session: Session): string {
  const { epoch, workspace, mode, lastTurn, running } = session;
  const turns = session.turns.map(({ conflicts, ...turn }) => ({
    ...turn,
    ready: [],
    readyFrom: 0,
    waits: Array.from(conflicts.entries, ([id, { waits }]) => [id, waits]),
  }));
  const calls = [...session.calls];
  return JSON.stringify({
    epoch,
    workspace,
    mode,
    lastTurn,
    running,
    waiting: [...session.waiting],
    turns,
    calls,
  });
}
