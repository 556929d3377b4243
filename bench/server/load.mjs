import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Served } from './served.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 * @import { Heard, Order } from './crowd-process.mjs'
 *
 * @typedef {{ sessions: number, clients: number, approvals: number, answers: number, events: number }} Size
 * @typedef {{ sessionId: string, callId: string, digest: string }} Waiting
 */

/** @type {Size} */
const WHOLE = { sessions: 1_000, clients: 500, approvals: 5_000, answers: 1_000, events: 100_000 };
/** @type {Size} */
const SMALL = { sessions: 20, clients: 10, approvals: 100, answers: 20, events: 2_000 };

const PAGE_MS_MAX = 100;
const START_MS_MAX = 50;
const FAN_OUT_MS_MAX = 100;
/** Less than the shortest fact: nothing can be kept of each. */
const BYTES_PER_EVENT_MAX = 64;

/** More than people at 500 screens answer; each is told to all of them. */
const ANSWER_EVERY_MS = 40;
const PAGE_EVERY_ANSWERS = 10;
/** The first page as the page asks for it. */
const PAGE = '/api/approvals?limit=200';
const CALLS_PER_TURN = 25;
const AT_ONCE = 8;
const HEARD_MS_MAX = 120_000;

export const name = 'server';
export const title = 'One server under load: sessions, listeners and approvals over HTTP, store on disk';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run({ rounds }) {
  const size = rounds > 1 ? WHOLE : SMALL;
  const served = await Served.start();
  const crowd = fork(fileURLToPath(new URL('crowd-process.mjs', import.meta.url)));
  try {
    const sessions = await makeSessions(served, size);
    // In one half somebody is waited for, in the other work continues: turns of one session come one after the other.
    const [asking, busy] = [0, 1].map((half) => sessions.filter((_, index) => index % 2 === half));
    const waiting = await makeApprovals(served, asking ?? [], size);
    await gather(crowd, served, sessions, size);
    const { pageMs, startMs, factMs, changeMs } = await answer(served, crowd, waiting, size);
    const memory = await flood(served, crowd, busy ?? [], size);
    const growth = bytesPerEvent(memory);
    return [
      {
        what: `${size.sessions} sessions, ${size.clients} listeners, ${size.approvals} approvals, one process`,
        measured: 'served',
      },
      time('first page of the inbox', pageMs, PAGE_MS_MAX),
      time('answer sent → heard that it runs', startMs, START_MS_MAX),
      time('fact → who follows the session', factMs, FAN_OUT_MS_MAX),
      time(`answer → each of ${size.clients} inboxes`, changeMs, FAN_OUT_MS_MAX),
      ...memory.map(({ heapBytes, residentBytes, events }) => ({
        what: `heap after ${events.toLocaleString('en')} events (resident ${Math.round(residentBytes / MB)} MB)`,
        measured: heapBytes / MB,
        unit: /** @type {const} */ ('MB'),
      })),
      {
        what: '    growth per event',
        measured: Math.max(0, growth),
        unit: 'B',
        // So few as in a quick run are all still at hand.
        ...(size === WHOLE && { target: { atMost: BYTES_PER_EVENT_MAX } }),
      },
    ];
  } finally {
    crowd.kill();
    await served.stop();
  }
}

const MB = 2 ** 20;

/** @param {string} what @param {number[]} values @param {number} atMost @returns {Row} */
const time = (what, values, atMost) => ({
  what: `${what}, p99 (median ${quantile(values, 0.5).toPrecision(2)} ms)`,
  measured: quantile(values, 0.99),
  unit: 'ms',
  target: { atMost },
});

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** @param {Served} served @param {Size} size @returns {Promise<string[]>} */
async function makeSessions(served, { sessions }) {
  const ids = Array.from({ length: sessions }, (_, index) => `load-${index}`);
  await atOnce(ids, (sessionId) => served.ask('POST', '/api/sessions', { sessionId }));
  return ids;
}

/** @param {Served} served @param {string[]} sessions @param {Size} size @returns {Promise<Waiting[]>} */
async function makeApprovals(served, sessions, { approvals }) {
  const each = approvals / sessions.length;
  await atOnce(sessions, (sessionId) =>
    served.ask('POST', `/api/sessions/${sessionId}/calls`, {
      calls: Array.from({ length: each }, (_, index) => ({
        callId: `${sessionId}-${index}`,
        name: 'write_file',
        args: { file_path: `${sessionId}-${index}.txt`, content: 'A few words.\n' },
      })),
    }),
  );
  await until(async () => (await served.ask('GET', PAGE)).total === approvals);
  /** @type {Waiting[]} */
  const waiting = [];
  for (let cursor = ''; ; ) {
    const page = await served.ask('GET', `${PAGE}${cursor}`);
    waiting.push(...page.approvals);
    if (page.next === null) return waiting;
    cursor = `&cursor=${page.next}`;
  }
}

/** Every session is followed by one client, and the inbox by all. */
/** @param {import('node:child_process').ChildProcess} crowd @param {Served} served @param {string[]} sessions @param {Size} size */
async function gather(crowd, { url, tokens }, sessions, { clients }) {
  const each = sessions.length / clients;
  const listening = once(crowd, 'message');
  /** @type {Order} */
  const order = {
    url,
    tokens,
    clients: Array.from({ length: clients }, (_, index) => sessions.slice(index * each, (index + 1) * each)),
  };
  crowd.send(order);
  await listening;
  await heardBy(crowd);
}

/** Answers at an even pace, whether the ones before are through or not. */
/** @param {Served} served @param {import('node:child_process').ChildProcess} crowd @param {Waiting[]} waiting @param {Size} size */
async function answer(served, crowd, waiting, { answers, clients }) {
  /** @type {Map<string, number>} */
  const sentAt = new Map();
  /** @type {number[]} */
  const pageMs = [];
  /** @type {Promise<unknown>[]} */
  const underWay = [];
  const step = Math.floor(waiting.length / answers);
  for (let index = 0; index < answers; index++) {
    const asked = waiting[index * step];
    if (!asked) throw new Error('fewer wait than are to be answered');
    const { sessionId, callId, digest } = asked;
    sentAt.set(callId, performance.timeOrigin + performance.now());
    underWay.push(
      served.ask('POST', '/api/approvals/answer', { sessionId, callId, digest, outcome: 'proceed_once' }),
    );
    if (index % PAGE_EVERY_ANSWERS === 0) underWay.push(timed(() => served.ask('GET', PAGE), pageMs));
    await sleep(ANSWER_EVERY_MS);
  }
  await Promise.all(underWay);
  /** @type {Heard} */
  const all = { facts: 0, broken: 0, starts: [], factMs: [], changeMs: [] };
  await until(async () => {
    const heard = await heardBy(crowd);
    for (const kind of /** @type {const} */ (['factMs', 'changeMs']))
      for (const ms of heard[kind]) all[kind].push(ms);
    all.starts.push(...heard.starts);
    return all.starts.length >= answers && all.changeMs.length >= answers * clients;
  });
  const startMs = all.starts.map(([callId, at]) => at - (sentAt.get(callId) ?? Number.NaN));
  return { pageMs, startMs, factMs: all.factMs, changeMs: all.changeMs };
}

/** Calls that nobody is asked about, in all sessions, while everybody listens. */
/** @param {Served} served @param {import('node:child_process').ChildProcess} crowd @param {string[]} sessions @param {Size} size */
async function flood(served, crowd, sessions, { events }) {
  const calls = Array.from({ length: CALLS_PER_TURN }, () => ({
    name: 'list_directory',
    args: { dir_path: 'small' },
  }));
  const memory = [{ events: 0, ...(await served.memory()) }];
  let facts = 0;
  let turn = 0;
  for (let quarter = 1; quarter <= 4; quarter++) {
    while (facts < (events * quarter) / 4) {
      const some = Array.from({ length: AT_ONCE }, () => sessions[turn++ % sessions.length] ?? '');
      await atOnce(some, (sessionId) => served.ask('POST', `/api/sessions/${sessionId}/calls`, { calls }));
      const { facts: more, broken } = await heardBy(crowd);
      if (broken > 0) throw new Error(`${broken} listeners were cut off`);
      facts += more;
    }
    memory.push({ events: facts, ...(await served.memory()) });
  }
  return memory;
}

/** From the first quarter on: by then everything is there that stays in any case. */
/** @param {{ events: number, heapBytes: number }[]} memory */
function bytesPerEvent(memory) {
  const [, first, , , last] = memory;
  if (!first || !last) throw new Error('memory was not looked at');
  return (last.heapBytes - first.heapBytes) / (last.events - first.events);
}

/** @param {import('node:child_process').ChildProcess} crowd @returns {Promise<Heard>} */
async function heardBy(crowd) {
  const told = once(crowd, 'message');
  crowd.send('heard');
  return (await told)[0];
}

/** @param {() => Promise<unknown>} work @param {number[]} kept */
async function timed(work, kept) {
  const begun = performance.now();
  await work();
  kept.push(performance.now() - begun);
}

/** @template T @param {readonly T[]} items @param {(item: T) => Promise<unknown>} work */
async function atOnce(items, work) {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** @param {() => Promise<boolean>} look */
async function until(look) {
  const end = performance.now() + HEARD_MS_MAX;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`waited ${HEARD_MS_MAX} ms in vain`);
    await sleep(20);
  }
}
