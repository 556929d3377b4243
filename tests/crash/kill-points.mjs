/** @typedef {import('./inside/die-at.mjs').Death} Death */
/** @typedef {import('./inside/die-at.mjs').AppendMoment} AppendMoment */
/** @typedef {import('./random.mjs').Random} Random */

/**
 * What is being done when the kill comes.
 * `start`: a batch was handed in, nobody has answered; `answer`: clients answer, the owner dies;
 * `client`: clients answer, one of them dies; `takeover`: the owner is dead, clients answer, and the
 * one that takes the session over dies; `reopen`: the owner is dead, and the one after it dies too;
 * `storm`: whoever owns the session is killed again and again while clients answer.
 * @typedef {'start' | 'answer' | 'client' | 'takeover' | 'reopen' | 'storm'} Stage
 */

/**
 * A kill from outside, some time after the process printed this text, or after it was started (`spawn`).
 * @typedef {{ after: string, delayMs: number }} OutsideKill
 */

/**
 * `before`: how the first owner dies where the kill is meant for the second; absent: from outside,
 * once all questions are asked.
 * @typedef {{ title: string, group: Group, stage: Stage, choose: (random: Random) => Choice, before?: Death }} KillPoint
 *
 * `each`: so many milliseconds after each owner was started.
 * @typedef {{ death: Death } | { outside: OutsideKill } | { each: readonly number[] }} Choice
 * @typedef {(typeof GROUPS)[number]} Group
 */

export const GROUPS = /** @type {const} */ ([
  'at a random moment',
  'during an append',
  'between start and effect',
  'between effect and end',
  'during an answer',
  'while a dead owner is replaced',
]);

/** The calls of every round: four that wait for approval, and others that run meanwhile. */
export const TICKS = /** @type {const} */ (['tick-1', 'tick-2', 'tick-3', 'tick-4']);
export const SLOWS = /** @type {const} */ (['slow-1', 'slow-2']);
export const PROBES = /** @type {const} */ (['probe-1', 'probe-2']);

const MOMENTS = /** @type {const} */ (['insert', 'inserted', 'commit', 'committing', 'committed']);

/** A synced commit takes a few tenths of a millisecond here; some kills should come just after it. */
const COMMITTING_US_MAX = 600;
/** About what the program needs to start and to have asked its questions. */
const STARTING_MS_MAX = 500;
/** Enough for an owner to start, ask, be answered and end; most come to none of it. */
const STORM_MS_MAX = 800;
/** Some steps of the engine after an event was told of. */
const SOON_MS_MAX = 40;

/** @param {string} type @param {string} [callId] */
const fact = (type, callId) => `{"type":"${type}"${callId ? `,"callId":"${callId}"` : ''}`;

const ANY_TICK = TICKS.slice(0, 2);

/** @type {readonly KillPoint[]} */
export const KILL_POINTS = [
  outside('start', 'at a random moment', 'spawn', STARTING_MS_MAX),
  outside('start', 'at a random moment', fact('turn.sealed')),
  outside('start', 'at a random moment', fact('call.asked', TICKS[3])),
  outside('start', 'at a random moment', fact('call.started', SLOWS[0]), 150),
  outside('start', 'at a random moment', fact('call.succeeded', PROBES[0])),
  {
    title: 'storm: three owners in a row',
    group: 'at a random moment',
    stage: 'storm',
    choose: (random) => ({ each: Array.from({ length: 3 }, () => random.between(50, STORM_MS_MAX)) }),
  },

  ...appends('start', 'during an append', [
    fact('session.opened'),
    fact('call.requested'),
    fact('call.asked', TICKS[0]),
    fact('call.started', SLOWS[0]),
    fact('call.succeeded', SLOWS[1]),
    fact('call.succeeded', PROBES[0]),
  ]),
  {
    title: 'start: as a transaction begins',
    group: 'during an append',
    stage: 'start',
    choose: (random) => ({ death: { at: 'transaction', nth: random.between(1, 4) } }),
  },

  ...runs('start', 'between start and effect', 'entered', [SLOWS[0], PROBES[0]]),
  ...runs('start', 'between effect and end', 'done', [SLOWS[0], PROBES[0]]),
  ...runs('answer', 'between start and effect', 'entered', ANY_TICK),
  ...runs('answer', 'between effect and end', 'done', ANY_TICK),
  ...runs('takeover', 'between start and effect', 'entered', ANY_TICK),
  ...runs('takeover', 'between effect and end', 'done', ANY_TICK),

  outside('answer', 'during an answer', fact('call.answered')),
  outside('answer', 'during an answer', fact('call.answered'), 150),
  ...appends('answer', 'during an answer', [
    fact('call.answered', TICKS[0]),
    fact('call.answered', TICKS[1]),
    fact('call.succeeded', TICKS[0]),
  ]),
  ...appends('takeover', 'during an answer', [
    fact('call.answered', TICKS[0]),
    fact('call.answered', TICKS[1]),
    fact('call.succeeded', TICKS[1]),
  ]),
  outside('client', 'during an answer', 'spawn', STARTING_MS_MAX),
  ...appends('client', 'during an answer', ['{"type":"answer"']),

  ...appends('takeover', 'while a dead owner is replaced', [fact('session.opened')]),
  ...appends('reopen', 'while a dead owner is replaced', [fact('session.opened')]),
  ...appends('reopen', 'while a dead owner is replaced', [fact('call.retried')], dying(PROBES[0])),
  ...appends('reopen', 'while a dead owner is replaced', [fact('call.failed', SLOWS[0])], dying(SLOWS[0])),
  outside('reopen', 'while a dead owner is replaced', 'spawn', STARTING_MS_MAX),
  {
    title: 'reopen: as a repeated call is entered',
    group: 'while a dead owner is replaced',
    stage: 'reopen',
    choose: () => ({ death: { at: 'run', where: 'entered', callId: PROBES[0], attempt: 2 } }),
    before: dying(PROBES[0]),
  },
];

/**
 * One kill point for each marker; the moment within the append is left to chance.
 * @param {Stage} stage @param {Group} group @param {readonly string[]} markers @param {Death} [before]
 * @returns {KillPoint[]}
 */
function appends(stage, group, markers, before) {
  return markers.map((marker) => ({
    title: `${stage}: append of ${marker}`,
    group,
    stage,
    ...(before && { before }),
    choose: (random) => ({
      death: {
        at: 'append',
        where: random.pick(MOMENTS),
        marker,
        delayUs: random.between(0, COMMITTING_US_MAX),
      },
    }),
  }));
}

/** @param {string} callId @returns {Death} */
function dying(callId) {
  return { at: 'run', where: 'entered', callId, attempt: 1 };
}

/**
 * @param {Stage} stage @param {Group} group @param {'entered' | 'done'} where @param {readonly string[]} callIds
 * @returns {KillPoint[]}
 */
function runs(stage, group, where, callIds) {
  return callIds.map((callId) => ({
    title: `${stage}: ${where === 'entered' ? 'as' : 'after'} ${callId} ${where === 'entered' ? 'is entered' : 'has happened'}`,
    group,
    stage,
    choose: () => ({ death: { at: 'run', where, callId, attempt: 1 } }),
  }));
}

/**
 * @param {Stage} stage @param {Group} group @param {string} after @param {number} [withinMs]
 * @returns {KillPoint}
 */
function outside(stage, group, after, withinMs = SOON_MS_MAX) {
  return {
    title: `${stage}: within ${withinMs} ms of ${after}`,
    group,
    stage,
    choose: (random) => ({ outside: { after, delayMs: random.between(0, withinMs) } }),
  };
}
