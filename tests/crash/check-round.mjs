import { isDeepStrictEqual } from 'node:util';

/** @typedef {import('@countersign/protocol').Event} Event */
/** @typedef {import('./scene.mjs').Mark} Mark */
/** @typedef {import('./scene.mjs').Look} Look */
/** @typedef {import('./program.mjs').Running} Running */

/**
 * Everything that was seen of a round: what the program wrote down, what it told, what it did to the world, and
 * what people did.
 * @typedef {{
 *   calls: readonly { readonly callId: string, readonly tool: 'tick' | 'slow' | 'probe' }[],
 *   wasReached: boolean,
 *   stuck: string | null,
 *   workspace: string,
 *   journal: readonly Event[],
 *   world: readonly Mark[],
 *   callRows: readonly { readonly callId: string, readonly status: string }[],
 *   looks: readonly Look[],
 *   owners: readonly Pick<Running, 'title' | 'told' | 'results' | 'exit' | 'stderr'>[],
 *   clients: readonly (Pick<Running, 'exit' | 'ack' | 'stderr'> & { callId: string, by: string, outcome: string })[],
 * }} Evidence
 */

/** @typedef {'lost' | 'duplicated' | 'without grant' | 'approvals' | 'false report' | 'stuck' | 'no kill'} ViolationKind */
/** @typedef {{ readonly kind: ViolationKind, readonly text: string }} Violation */

/**
 * What a round proves to be wrong; nothing if all promises were kept. Looks at the world and at what
 * people saw and said first, since a journal that is wrong agrees with itself.
 * @returns {Violation[]}
 */
export function checkRound(/** @type {Evidence} */ evidence) {
  /** @type {Violation[]} */
  const violations = [];
  const found = (/** @type {ViolationKind} */ kind, /** @type {string} */ text) =>
    violations.push({ kind, text });
  if (evidence.stuck) found('stuck', evidence.stuck);
  if (!evidence.wasReached) found('no kill', 'nothing was killed where it should have been');
  // A round that broke off has brought nothing to its end, which is not to say that it was lost.
  const isComplete = evidence.stuck === null;
  for (const call of evidence.calls) {
    if (isComplete) checkEnd(call, evidence, found);
    checkGrant(call, evidence, found);
    checkWorld(call, evidence, found);
    checkAnswers(call, evidence, found);
  }
  for (const owner of evidence.owners) checkTold(owner, evidence, found);
  for (const look of evidence.looks) checkLook(look, evidence, found);
  if (isComplete) checkTurn(evidence, found);
  checkWorkspace(evidence, found);
  return violations;
}

/** @typedef {Evidence['calls'][number]} Call */
/** @typedef {(kind: ViolationKind, text: string) => void} Found */

/** Asked for once, ended once, nothing after the end. @param {Call} call @param {Evidence} evidence @param {Found} found */
function checkEnd({ callId }, { journal, callRows }, found) {
  const requests = journal.filter(
    (event) => event.type === 'call.requested' && event.request.callId === callId,
  );
  if (requests.length === 0) found('lost', `${callId} was never written down`);
  if (requests.length > 1) found('duplicated', `${callId} was written down ${requests.length} times`);

  const facts = factsOf(journal, callId);
  const ends = facts.filter(isEnd);
  if (ends.length === 0) found('lost', `${callId} never came to an end`);
  if (ends.length > 1) found('duplicated', `${callId} came to ${ends.length} ends`);
  const last = facts.at(-1);
  if (ends.length === 1 && last && !isEnd(last))
    found('duplicated', `${callId} went on after its end: ${last.type}`);

  const rows = callRows.filter((row) => row.callId === callId);
  if (rows.length !== ends.length)
    found('false report', `${callId} has ${rows.length} rows in the statistics`);
}

/** Started only with a permit for exactly what was planned; if it asks, with a yes of somebody who said yes. @param {Call} call @param {Evidence} evidence @param {Found} found */
function checkGrant({ callId, tool }, { journal, clients }, found) {
  const facts = factsOf(journal, callId);
  const start = facts.findIndex(({ type }) => type === 'call.started');
  if (start < 0) return;
  const before = facts.slice(0, start);
  const planned = before.findLast((event) => event.type === 'call.planned');
  const granted = before.findLast((event) => event.type === 'call.granted');
  if (!planned || !granted) return found('without grant', `${callId} was started without a grant`);
  if (granted.permit.digest !== planned.plan.digest)
    return found('without grant', `${callId} was started with a grant for something else`);
  if (tool !== 'tick') return;

  const { by } = granted.permit;
  const asked = before.findLast((event) => event.type === 'call.asked');
  const answered = before.findLast((event) => event.type === 'call.answered');
  if (by.type !== 'person' || !asked || !answered)
    return found('without grant', `${callId} was started and nobody had been asked`);
  const saidYes = clients.some(
    (client) => client.callId === callId && client.by === by.who && client.outcome === 'proceed_once',
  );
  if (!saidYes || answered.answer.by !== by.who || answered.answer.digest !== asked.question.digest)
    found('without grant', `${callId} was started in the name of ${by.who}, who did not allow it`);
}

/** What really happened is what was reported. @param {Call} call @param {Evidence} evidence @param {Found} found */
function checkWorld({ callId, tool }, { journal, world }, found) {
  const entered = world.filter((mark) => mark.callId === callId && mark.what === 'entered');
  const effects = world.filter((mark) => mark.callId === callId && mark.what === 'effect').length;
  const facts = factsOf(journal, callId);
  const attempts = facts.filter(({ type }) => type === 'call.started' || type === 'call.retried').length;

  if (tool === 'probe') {
    if (entered.length > attempts)
      found('duplicated', `${callId} ran ${entered.length} times in ${attempts} attempts`);
  } else {
    if (attempts > 1)
      found('duplicated', `${callId} is not safe to repeat and was started ${attempts} times`);
    if (entered.length > 1) found('duplicated', `${callId} was entered ${entered.length} times`);
    if (effects > 1) found('duplicated', `${callId} happened ${effects} times`);
  }
  if (entered.length > 0 && attempts === 0)
    found('without grant', `${callId} ran and its start was not written down`);

  const end = facts.find(isEnd);
  switch (end?.type) {
    case 'call.succeeded':
      if (effects === 0) found('false report', `${callId} is reported as done and never happened`);
      return;
    case 'call.failed':
      if (end.failure.code !== 'interrupted' || !end.partial?.mayHaveHappened)
        found(
          'false report',
          `${callId} failed with ${end.failure.code} instead of saying that it was interrupted`,
        );
      return;
    case 'call.cancelled':
      if (end.reason.type !== 'declined')
        found('false report', `${callId} was cancelled and nobody had declined it`);
      if (entered.length > 0) found('without grant', `${callId} was declined and ran`);
      return;
    default:
  }
}

/** The first answer counts, its giver hears so, everybody else hears who was first. @param {Call} call @param {Evidence} evidence @param {Found} found */
function checkAnswers({ callId }, { journal, clients }, found) {
  const given = factsOf(journal, callId).flatMap((event) =>
    event.type === 'call.answered' ? [event.answer] : [],
  );
  if (given.length > 1) found('approvals', `${callId} was answered ${given.length} times`);
  const [answer] = given;
  const here = clients.filter((client) => client.callId === callId);
  if (answer) {
    const said = here.find(({ by }) => by === answer.by);
    if (said?.outcome !== answer.outcome)
      found('approvals', `${callId}: ${answer.outcome} by ${answer.by} was written down, who did not say so`);
  }
  for (const { by, exit, ack, stderr } of here) {
    if (exit?.signal === 'SIGKILL') continue;
    if (!ack || exit?.code !== (ack.ok ? 0 : 1)) {
      found('approvals', `${by} got no clear answer about ${callId} (exit ${exit?.code}): ${stderr.trim()}`);
    } else if (ack.ok !== (answer?.by === by)) {
      const told = ack.ok ? 'that the answer counts' : `no (${ack.error?.type})`;
      found(
        'approvals',
        `${by} was told ${told} about ${callId}, which was answered by ${answer?.by ?? 'nobody'}`,
      );
    } else if (
      !ack.ok &&
      !(ack.error?.type === 'already_answered' && ack.error.message.includes(answer?.by ?? '?'))
    ) {
      found('approvals', `${by} was refused about ${callId} with ${ack.error?.type}: ${ack.error?.message}`);
    }
  }
}

/** What a process told was written down, and its results are what became of the calls. @param {Evidence['owners'][number]} owner @param {Evidence} evidence @param {Found} found */
function checkTold({ title, told, results, exit, stderr }, { journal, calls }, found) {
  for (const { seq, event } of told) {
    if (!isDeepStrictEqual(journal[seq], event)) {
      found('lost', `${title} told of ${event.type} as number ${seq}, which is not in the journal`);
      break;
    }
  }
  for (const { callId, status } of results) {
    const end = factsOf(journal, callId).find(isEnd);
    if (!end || STATUS_OF[end.type] !== status)
      found(
        'false report',
        `${title} reported ${callId} as ${status}; the journal says ${end?.type ?? 'nothing'}`,
      );
  }
  if (exit?.signal === 'SIGKILL') return;
  const isComplete = isDeepStrictEqual(
    results.map(({ callId }) => callId),
    calls.map(({ callId }) => callId),
  );
  if (!isComplete)
    found('false report', `${title} ended without a result for each call, in order. ${stderr.trim()}`);
  const code = results.every(({ status }) => status === 'success') ? 0 : 1;
  if (exit?.code !== code) found('false report', `${title} ended with ${exit?.code} instead of ${code}`);
}

/** Between processes: what must wait waits under the same id and digest, and nothing else does. @param {Look} look @param {Evidence} evidence @param {Found} found */
function checkLook({ title, listed, journal, world, spokenAbout }, { owners, journal: later }, found) {
  const seen = new Map(
    owners.flatMap(({ told }) =>
      told.flatMap(({ event }) =>
        event.type === 'call.asked' ? [[event.callId, event.question.digest]] : [],
      ),
    ),
  );
  for (const [callId, digest] of seen) {
    const waits = listed.find((question) => question.callId === callId);
    const mustWait =
      journal.some((event) => event.type === 'call.asked' && event.callId === callId) &&
      !spokenAbout.includes(callId);
    if (mustWait && !waits)
      found('approvals', `${title}, ${callId} no longer waits, and nobody has answered`);
    if (waits && waits.digest !== digest) found('approvals', `${title}, ${callId} waits with another digest`);
  }
  const waiting = waitingIn(journal);
  if (!isDeepStrictEqual(new Map(listed.map(({ callId, digest }) => [callId, digest])), waiting))
    found(
      'approvals',
      `${title}, the list shows ${names(listed)}; the journal says ${[...waiting.keys()].join(', ') || 'none'}`,
    );

  for (const { callId } of world) {
    if (!factsOf(journal, callId).some(({ type }) => type === 'call.started'))
      found('without grant', `${title}, ${callId} had run, and its start was not written down`);
  }
  if (!isDeepStrictEqual(later.slice(0, journal.length), journal))
    found('lost', `${title}, the journal held facts that are gone or others now`);
}

/** @param {Evidence} evidence @param {Found} found */
function checkWorkspace({ journal, workspace }, found) {
  for (const event of journal) {
    if (event.type === 'session.opened' && event.workspace !== workspace)
      found('false report', `the session was opened in ${event.workspace} instead of ${workspace}`);
  }
}

/** @param {Evidence} evidence @param {Found} found */
function checkTurn({ journal }, found) {
  const ended = journal.filter(({ type }) => type === 'turn.ended').length;
  if (ended !== 1) found(ended === 0 ? 'lost' : 'duplicated', `the batch came to ${ended} ends`);
}

/** The questions that wait after these facts, by call, with their digests. Worked out without the kernel, which is on trial. */
function waitingIn(/** @type {readonly Event[]} */ journal) {
  /** @type {Map<string, string>} */
  const waiting = new Map();
  for (const event of journal) {
    if (event.type === 'call.asked') waiting.set(event.callId, event.question.digest);
    else if ('callId' in event) waiting.delete(event.callId);
  }
  return waiting;
}

/** @returns {Extract<Event, { callId: string }>[]} */
const factsOf = (/** @type {readonly Event[]} */ journal, /** @type {string} */ callId) =>
  journal.flatMap((event) => ('callId' in event && event.callId === callId ? [event] : []));

const STATUS_OF = /** @type {const} */ ({
  'call.succeeded': 'success',
  'call.failed': 'error',
  'call.cancelled': 'cancelled',
});

/** @param {Event} event @returns {event is Extract<Event, { type: keyof typeof STATUS_OF }>} */
const isEnd = (event) => Object.hasOwn(STATUS_OF, event.type);

const names = (/** @type {readonly { callId: string }[]} */ list) =>
  list.map(({ callId }) => callId).join(', ') || 'none';
