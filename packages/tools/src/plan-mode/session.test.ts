import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFAULT_POLICY_SOURCE,
  loadPolicy,
  memoryJournal,
  openSession,
  type SessionShell,
  Toolbox,
} from '@countersign/engine';
import { classify } from '@countersign/host';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { type AnswerPayload, explain, type Outcome, type SettledCall } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInTools } from '../built-in-tools.js';

let place: TemporaryWorkspace;
let session: SessionShell;
beforeEach(async () => {
  place = temporaryWorkspace();
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], { knownTools: [] });
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  const opened = await openSession({
    journal: memoryJournal(),
    sessionId: 's',
    workspace: place.workspace,
    policy: loaded.policy,
    tools: new Toolbox(builtInTools()),
    classify,
  });
  if (!opened.ok) throw new Error(explain(opened.failure).message);
  ({ session } = opened);
});
afterEach(async () => {
  await session.dispose();
  place.remove();
});

type Answers = { readonly [callId: string]: readonly [Outcome, AnswerPayload] };

/** One turn, in which a person answers what is asked, and nothing else is. */
async function turn(calls: Parameters<SessionShell['schedule']>[0], answers: Answers = {}) {
  const running = session.schedule(calls);
  for (const [callId, [outcome, payload]] of Object.entries(answers)) {
    await session.idle();
    const call = session.snapshot().find(({ request }) => request.callId === callId);
    if (call?.status !== 'awaiting_approval') throw new Error(`${callId} is ${call?.status}`);
    const { digest } = call.question;
    expect(await session.send({ type: 'answer', callId, digest, outcome, payload, by: 'ada' })).toMatchObject(
      { ok: true },
    );
  }
  const ended = await running;
  if (!ended.ok) throw new Error(explain(ended.failure).message);
  return ended.calls;
}
const contentOf = (call: SettledCall | undefined) =>
  call?.status === 'success' ? String(call.result.llmContent) : call?.status;
const write = (callId: string, file_path: string) => ({
  callId,
  name: 'write_file',
  args: { file_path, content: 'x\n' },
});
const leave = { callId: 'leave', name: 'exit_plan_mode', args: { plan_filename: 'a.md' } };

test('a session plans, has the plan declined, then agreed to, and continues in the mode that was chosen [P1] [A1] [A2]', async () => {
  const [entered] = await turn([{ callId: 'enter', name: 'enter_plan_mode', args: {} }], {
    enter: ['proceed_once', {}],
  });
  expect(contentOf(entered)).toContain('Plan mode is on');

  const [plan, other, declined] = await turn(
    [write('plan', '.countersign/plans/a.md'), write('other', 'a.ts'), leave],
    { leave: ['cancel', { feedback: 'Smaller steps.' }] },
  );
  expect(plan?.status).toBe('success');
  expect(readFileSync(join(place.workspace, '.countersign/plans/a.md'), 'utf8')).toBe('x\n');
  expect(other).toMatchObject({ status: 'error', failure: { code: 'policy_violation' } });
  expect(declined).toMatchObject({ status: 'cancelled', reason: { feedback: 'Smaller steps.' } });

  const [agreed] = await turn([leave], {
    leave: ['proceed_once', { answers: { approvalMode: 'auto_edit' } }],
  });
  expect(contentOf(agreed)).toContain('Plan mode is off. Edits inside the workspace are allowed');
  const [written] = await turn([write('after', 'a.ts')]);
  expect(written?.status).toBe('success');
  expect(existsSync(join(place.workspace, 'a.ts'))).toBe(true);
});

test('what a person answers reaches the model; without a user it learns that [A1] [A8]', async () => {
  const questions = [{ question: 'Ship it?', header: 'Ship', type: 'yesno' }];
  const ask = { callId: 'ask', name: 'ask_user', args: { questions } };
  const [answered] = await turn([ask], { ask: ['proceed_once', { answers: ['no'] }] });
  expect(contentOf(answered)).toBe('Question: Ship it?\nAnswer: No');
  const alone = await session.schedule([{ ...ask, callId: 'alone' }], { attended: 'nobody' });
  expect(alone).toMatchObject({ calls: [{ status: 'error', failure: { code: 'nobody_to_ask' } }] });
});
