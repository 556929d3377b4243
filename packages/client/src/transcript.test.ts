import { emptySession, evolve } from '@countersign/kernel';
import type { Event, Failure, MessagePart, Plan, Verdict } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { decisionText } from './decision-text.js';
import { type CallItem, Transcript } from './transcript.js';

/** Facts as a session has them, folded into state and transcript together. */
class Observed {
  readonly transcript = new Transcript();
  readonly #session = emptySession('s');

  constructor(...events: readonly Event[]) {
    this.observe({ type: 'session.opened', epoch: 1, at: 0, workspace: '/w', mode: 'manual' });
    for (const event of events) this.observe(event);
  }

  observe(event: Event): readonly string[] {
    evolve(this.#session, event);
    const id = event.type === 'call.requested' ? event.request.callId : 'callId' in event ? event.callId : '';
    return this.transcript.observe(event, this.#session.calls.get(id));
  }

  get order(): string {
    return this.transcript.items
      .map((item) => ('text' in item ? `${item.id}=${item.text}` : item.id))
      .join(' ');
  }

  call(id: string): CallItem {
    const item = this.transcript.items.find((each) => each.id === id);
    if (item?.kind !== 'call') throw new Error(`no call ${id}`);
    return item;
  }
}

const user = (id: number, text: string): Event => ({
  type: 'message.added',
  message: { id, at: id, role: 'user', parts: [{ text }], by: 'ada', promptId: 'p' },
});
const model = (id: number, turn: number | null, ...parts: readonly MessagePart[]): Event => ({
  type: 'message.added',
  message: { id, at: id, role: 'model', parts, model: 'm', usage: null, finish: 'STOP', turn, promptId: 'p' },
});
const asked = { functionCall: { name: 'look', args: {} } };
const begun = (turn: number): Event => ({
  type: 'turn.started',
  turn,
  at: 1,
  start: 'as_granted',
  attended: 'somebody',
});
const sealed = (turn: number): Event => ({ type: 'turn.sealed', turn });
const ended = (turn: number): Event => ({ type: 'turn.ended', turn, at: 9 });
const requested = (callId: string, turn: number, index: number): Event => ({
  type: 'call.requested',
  request: {
    callId,
    wireId: callId,
    name: 'look',
    args: {},
    argsHash: '',
    origin: 'model',
    promptId: 'p',
    turn,
    index,
    revision: 0,
    at: 1,
    waitForPrevious: false,
    calledAs: null,
  },
});
const plan: Plan = {
  title: 'Look around',
  kind: 'read',
  resources: [],
  locations: [],
  basis: [],
  repeat: 'safe',
  after: 'conflicts',
  byDefault: null,
  digest: 'd',
};
const rule = { name: 'reads', tier: 'user', priority: 1, file: 'p.toml', line: 3 } as const;
const verdict: Verdict = { decision: 'ask_user', rule, reason: 'it may harm', matched: null };
const planned = (callId: string, decision: Verdict['decision'] = 'ask_user'): Event => ({
  type: 'call.planned',
  callId,
  plan,
  verdict: { ...verdict, decision },
});
const question: Event = {
  type: 'call.asked',
  callId: 'a',
  question: {
    digest: 'd',
    confirmation: { type: 'info', title: 'Sure?', prompt: 'Sure?', urls: [] },
    offers: [],
    askedAt: 1_000,
  },
};
const answer = (outcome: 'proceed_once' | 'cancel'): Event => ({
  type: 'call.answered',
  callId: 'a',
  answer: { outcome, by: 'ada', at: 4_000, digest: 'd', key: null, feedback: null },
});
const failed = (callId: string, failure: Failure): Event => ({
  type: 'call.failed',
  callId,
  failure,
  partial: null,
  at: 8,
});
const denied = { code: 'policy_violation', reason: 'no', rule: null } as const;

test('words stand before, between and after the calls of their message, though they are known last', () => {
  const observed = new Observed(
    user(1, 'go'),
    begun(1),
    requested('a', 1, 0),
    requested('b', 1, 1),
    user(2, 'wait'),
  );
  expect(observed.order).toBe('m1=go c1.0 c1.1 m2=wait');
  const parts = [
    { text: 'hm', thought: true },
    { text: 'First' },
    { text: ' this' },
    asked,
    { text: 'then' },
    asked,
  ];
  expect(observed.observe(model(3, 1, ...parts))).toEqual(['m3.0', 'm3.1', 'm3.2']);
  expect(observed.order).toBe('m1=go m3.0=hm m3.1=First this c1.0 m3.2=then c1.1 m2=wait');
  expect(observed.transcript.items.map(({ kind }) => kind)).toEqual([
    'user',
    'thought',
    'text',
    'call',
    'text',
    'call',
    'user',
  ]);
  // Calls that moved are still found.
  expect(observed.observe(sealed(1))).toEqual([]);
  expect(observed.observe(failed('b', denied))).toEqual(['c1.1']);
  expect(observed.call('c1.1').call.status).toBe('error');
  expect(observed.call('c1.0').call.status).toBe('validating');
});

test('what is final stays as it is and where it is, and grows as far as the first thing that is open', () => {
  const observed = new Observed(user(1, 'go'));
  const { transcript } = observed;
  const printed: unknown[] = [];
  const print = () => {
    expect(transcript.items.slice(0, printed.length)).toEqual(printed);
    printed.push(...transcript.items.slice(printed.length, transcript.finalCount));
    return printed.length;
  };
  expect(print()).toBe(1);
  const story: readonly (readonly [Event, number])[] = [
    [begun(1), 1],
    [requested('a', 1, 0), 1],
    // Over already, but what the model said before it is not known yet.
    [failed('a', denied), 1],
    [requested('b', 1, 1), 1],
    [model(2, 1, { text: 'Look:' }, asked, asked), 1],
    [sealed(1), 3],
    [failed('b', denied), 4],
    [ended(1), 4],
    [model(3, null, { text: 'Done.' }), 5],
  ];
  for (const [event, final] of story) {
    observed.observe(event);
    expect([event.type, print()]).toEqual([event.type, final]);
  }
  expect(observed.order).toBe('m1=go m2.0=Look: c1.0 c1.1 m3.0=Done.');
});

test('a call keeps what was planned, asked and decided, and says how long it took, also when it is over', () => {
  const observed = new Observed(begun(1), requested('a', 1, 0), sealed(1), planned('a'), question);
  expect(observed.call('c1.0')).toMatchObject({
    title: 'Look around',
    verdict,
    permit: null,
    waitedMs: null,
  });
  expect(decisionText(observed.call('c1.0'))).toBe('Waiting for an answer. it may harm');
  const before = observed.call('c1.0');
  observed.observe(answer('proceed_once'));
  observed.observe({
    type: 'call.granted',
    callId: 'a',
    permit: { digest: 'd', by: { type: 'person', who: 'ada' } },
  });
  observed.observe({ type: 'call.started', callId: 'a', attempt: 1, epoch: 1, at: 5_000 });
  observed.observe(failed('a', { code: 'timed_out', afterMs: 1, stopped: true }));
  observed.observe(ended(1));
  expect(observed.call('c1.0')).toMatchObject({ title: 'Look around', waitedMs: 3_000, ranMs: 8 - 5_000 });
  expect(observed.call('c1.0').question?.digest).toBe('d');
  expect(decisionText(observed.call('c1.0'))).toBe('Allowed by ada after 3.0 s');
  expect(before.call.status, 'an item that was handed out never changes').toBe('awaiting_approval');
});

test.each([
  [{ type: 'policy', rule }, 'Allowed by rule "reads" (p.toml:3): it may harm'],
  [{ type: 'grant', grantId: 'g1' }, 'Allowed by the grant g1'],
  [{ type: 'hook', hook: 'check.sh' }, 'Allowed by the hook check.sh: it may harm'],
] as const)('a decision of %j is shown with its reason', (by, text) => {
  const observed = new Observed(begun(1), requested('a', 1, 0), sealed(1), planned('a', 'allow'));
  observed.observe({ type: 'call.granted', callId: 'a', permit: { digest: 'd', by } });
  expect(decisionText(observed.call('c1.0'))).toBe(text);
});

test('a call that was denied or declined says by what, by whom and why', () => {
  const observed = new Observed(begun(1), requested('a', 1, 0), requested('b', 1, 1), sealed(1));
  for (const event of [planned('a'), question, answer('cancel'), planned('b', 'deny')])
    observed.observe(event);
  const reason = { type: 'declined', by: 'ada', feedback: 'not today' } as const;
  observed.observe({ type: 'call.cancelled', callId: 'a', reason, partial: null, at: 5 });
  observed.observe(failed('b', denied));
  expect(decisionText(observed.call('c1.0'))).toBe('Declined by ada after 3.0 s: not today');
  expect(decisionText(observed.call('c1.1'))).toBe('Denied by rule "reads" (p.toml:3): it may harm');
});

test('live output belongs to a call while it runs, is added up, and is gone with it', () => {
  const observed = new Observed(begun(1), requested('a', 1, 0), sealed(1), planned('a', 'allow'));
  const { transcript } = observed;
  expect(transcript.observeLive({ callId: 'unknown', output: 'x' })).toBeNull();
  expect(transcript.observeLive({ callId: 'a', output: 'x', pid: 7 })).toBe('c1.0');
  expect(transcript.observeLive({ callId: 'a', progress: { done: 1 } })).toBe('c1.0');
  expect(transcript.liveOf(observed.call('c1.0'))).toEqual({
    callId: 'a',
    output: 'x',
    pid: 7,
    progress: { done: 1 },
  });
  observed.observe(failed('a', denied));
  expect(transcript.liveOf(observed.call('c1.0'))).toBeNull();
  expect(transcript.observeLive({ callId: 'a', output: 'late' })).toBeNull();
});

test('what happened to the session itself stands among the rest', () => {
  const observed = new Observed(user(1, 'go'), { type: 'mode.changed', mode: 'plan', by: 'ada', at: 2 });
  observed.observe({ type: 'history.compressed', summary: 'Short.', keptFrom: 1, usage: null, at: 3 });
  observed.observe({ type: 'session.opened', epoch: 2, at: 4, workspace: '/w', mode: 'manual' });
  expect(observed.transcript.items.slice(1)).toEqual([
    { kind: 'notice', id: 'n1', at: 2, notice: { type: 'mode_changed', mode: 'plan', by: 'ada' } },
    { kind: 'notice', id: 'n2', at: 3, notice: { type: 'compressed', summary: 'Short.' } },
    { kind: 'notice', id: 'n3', at: 4, notice: { type: 'taken_up', mode: 'manual' } },
  ]);
});

test('an id that comes again in a later turn is another item', () => {
  const observed = new Observed();
  for (const turn of [1, 2]) {
    for (const event of [
      begun(turn),
      requested('a', turn, 0),
      sealed(turn),
      failed('a', denied),
      ended(turn),
    ])
      observed.observe(event);
  }
  expect(observed.order).toBe('c1.0 c2.0');
});

test('the work per fact does not grow with the number of items', () => {
  const observed = new Observed();
  const turn = (number: number) => {
    observed.observe(begun(number));
    observed.observe(requested('a', number, 0));
    observed.observe(model(number, number, { text: 'x' }, asked));
    observed.observe(sealed(number));
    observed.observe(failed('a', denied));
    observed.observe(ended(number));
  };
  const timeOf = (from: number, to: number): number => {
    const elapsedMs = stopwatch();
    for (let number = from; number < to; number++) turn(number);
    return elapsedMs();
  };
  timeOf(1, 2_000);
  const early = timeOf(2_000, 4_000);
  timeOf(4_000, 40_000);
  // Generous, since other programs run here too: were it to grow, it would be ten times as long.
  expect(timeOf(40_000, 42_000)).toBeLessThan(early * 5 + 20);
  expect(observed.transcript.finalCount).toBe(observed.transcript.items.length);
});
