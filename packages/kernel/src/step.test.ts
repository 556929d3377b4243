import type { ApprovalMode, Event, Grant, Plan, Resource, Verdict } from '@countersign/protocol';
import { expect, test, vi } from 'vitest';
import type { Circumstances, Input, PlanOutcome } from './state/input.js';
import { emptySession, type Session } from './state/session.js';
import { step } from './step.js';

// Ways into trouble that exploring found, each as short as it can be. What they show is checked for every state
// of many small worlds in tests/kernel.

const AT = 1_000;

test('a call that was edited runs although what it used to wait for is gone [S2, A4]', () => {
  const { session, take } = begin();
  take({
    type: 'call',
    calls: [newCall('A'), newCall('B')],
    start: 'as_granted',
    attended: true,
    whenBusy: 'queue',
    at: AT,
  });
  take(planEnded('A', 0, 'f'));
  take(planEnded('B', 0, 'f'));
  take({ type: 'modify', callId: 'B', digest: 'B f', args: {}, argsHash: 'g', by: 'ann', at: AT });
  take(planEnded('B', 1, 'g'));
  take(answer('A', 'A f', 'cancel'));
  expect(take(answer('B', 'B g', 'proceed_once'))).toContain('call.started');
  expect(session.calls.get('B')?.status).toBe('executing');
});

test('a grant that was just revoked permits nothing, even before the store knows [P6]', () => {
  const { session, take } = begin([grant('g')]);
  take({
    type: 'call',
    calls: [newCall('A')],
    start: 'as_granted',
    attended: true,
    whenBusy: 'queue',
    at: AT,
  });
  expect(take({ type: 'revoke-grant', grantId: 'g', by: 'ann', at: AT })).toEqual(['grant.revoked']);
  expect(take({ type: 'revoke-grant', grantId: 'g', by: 'ann', at: AT })).toEqual(['unknown_grant']);
  take(planEnded('A', 0, 'f'));
  expect(session.calls.get('A')?.status).toBe('awaiting_approval');
});

test('a plan for a call whose turn has not come is not taken [S1]', () => {
  const { session, take } = begin();
  take({
    type: 'call',
    calls: [newCall('A')],
    start: 'as_granted',
    attended: true,
    whenBusy: 'queue',
    at: AT,
  });
  take({
    type: 'call',
    calls: [newCall('B')],
    start: 'as_granted',
    attended: true,
    whenBusy: 'queue',
    at: AT,
  });
  expect(take(planEnded('B', 0, 'f', 2))).toEqual([]);
  expect(session.calls.get('B')?.status).toBe('validating');
});

test('a step costs no more the more calls wait for a place to run [S2]', () => {
  const { session, take } = begin();
  const ids = Array.from({ length: 500 }, (_, index) => `c${index}`);
  take({
    type: 'call',
    calls: ids.map(newCall),
    start: 'as_granted',
    attended: true,
    whenBusy: 'queue',
    at: AT,
  });
  for (const id of ids) take(planEnded(id, 0, id));
  for (const id of ids) take(answer(id, `${id} ${id}`, 'proceed_once'));
  expect(session.running).toBe(2);
  const looked = vi.spyOn(session.calls, 'get');
  take({ type: 'set-mode', mode: 'plan', by: 'ann', at: AT });
  expect(looked.mock.calls.length).toBeLessThan(10);
});

/** A session of a new process, whose inputs return their results. Every edit asks. */
function begin(grants: readonly Grant[] = []): { session: Session; take: (input: Input) => string[] } {
  const asks: Verdict = { decision: 'ask_user', rule: null, reason: '', matched: null, because: 'default' };
  const circumstances: Circumstances = {
    policy: {
      hash: 'p',
      judge: () => asks,
      explain: () => ({ verdict: asks, trace: [] }),
      asking: () => null,
      deniesOutright: () => false,
    },
    grants: new Map(grants.map((each) => [each.id, each])),
    commandsOf: () => null,
    hooksListen: () => false,
    limits: { starts: 'allowed', runningMax: 2, attemptsMax: 2, backoffMs: () => 0 },
  };
  const session = emptySession('s');
  const take = (input: Input): string[] => {
    const types: string[] = [];
    const { refusal } = step(session, input, circumstances, (event: Event) => types.push(event.type));
    return refusal ? [refusal.code, ...types] : types;
  };
  const mode: ApprovalMode = 'manual';
  take({
    ...{ type: 'open', workspace: '/w', mode, policyHash: 'p', setup: null },
    ...{ goneGrants: [], replanned: new Map(), at: AT },
  });
  return { session, take };
}

const newCall = (wireId: string) => ({
  wireId,
  name: 'write',
  args: {},
  argsHash: wireId,
  origin: 'model' as const,
  promptId: '',
  waitForPrevious: false,
  calledAs: null,
  failure: null,
});

const planEnded = (callId: string, revision: number, file: string, turn = 1): Input => ({
  type: 'plan.ended',
  callId,
  turn,
  revision,
  outcome: planOf(`${callId} ${file}`, file),
  hooked: null,
  at: AT,
});

function planOf(digest: string, file: string): PlanOutcome {
  const written: Resource = {
    kind: 'fs.write',
    path: `/w/${file}`,
    scope: 'file',
    place: 'workspace',
    guarded: null,
  };
  const plan: Plan = {
    title: digest,
    kind: 'edit',
    resources: [written],
    locations: [],
    basis: [],
    repeat: 'unsafe',
    after: 'conflicts',
    byDefault: null,
    digest,
  };
  const confirmation = {
    type: 'edit',
    title: digest,
    fileName: file,
    filePath: `/w/${file}`,
    fileDiff: '',
    originalContent: null,
    newContent: '',
    diffStat: { added: 0, removed: 0 },
  } as const;
  return { ok: true, plan, preview: { confirmation } };
}

const answer = (callId: string, digest: string, outcome: 'cancel' | 'proceed_once'): Input => ({
  type: 'answer',
  callId,
  digest,
  outcome,
  payload: {},
  by: 'ann',
  key: null,
  fresh: { type: 'unchanged' },
  grantId: `grant of ${callId}`,
  at: AT,
});

const grant = (id: string): Grant => ({
  id,
  pattern: { kind: 'edits' },
  scope: 'session',
  scopeKey: 's',
  uses: null,
  expiresAt: null,
  by: 'ann',
  at: 0,
});
