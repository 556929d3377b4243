import { explain, type Failure, type SettledCall } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PolicyEngine, type PolicyRule } from '../policy/policy-engine.js';
import { ApprovalMode, Kind } from '../types/enums.js';
import { Deploy } from './testing/deploy.js';
import { type SessionOptions, sessionWith, type TestSession, temporaryWorkspace } from './testing/session.js';

let place: ReturnType<typeof temporaryWorkspace>;
let sessions: TestSession[] = [];
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(async () => {
  for (const { session } of sessions) await session.dispose();
  sessions = [];
  place.remove();
});

async function open(tool: Deploy, options: SessionOptions & { readonly rules?: readonly PolicyRule[] } = {}) {
  const { rules = [], ...rest } = options;
  const opened = await sessionWith([tool], {
    targetDir: place.workspace,
    policyEngine: new PolicyEngine({ rules }),
    ...rest,
  });
  sessions.push(opened);
  return opened;
}

const failureOf = (call: SettledCall): Failure | null => (call.status === 'error' ? call.failure : null);
const info = { type: 'info', title: 'Deploy?', prompt: 'To the whole world.' } as const;

test('where no rule names the tool, `false` from the tool itself lets it run [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => false });
  const { call } = await open(deploy);
  expect(await call({ target: 'eu' })).toMatchObject({
    status: 'success',
    result: { llmContent: 'deployed to eu', returnDisplay: 'done' },
  });
  expect(deploy.asked).toEqual([undefined]);
});

test('where no rule names the tool, its details make a question [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => info });
  const { ask, session } = await open(deploy);
  const { question, verdict, request } = await ask({ target: 'eu' });
  expect(question.confirmation).toEqual({ ...info, urls: [] });
  expect(verdict).toMatchObject({ decision: 'ask_user', because: 'default' });
  await session.send({
    type: 'answer',
    callId: request.callId,
    digest: question.digest,
    outcome: 'proceed_once',
    by: 'test',
  });
  await session.idle();
  expect(deploy.ran).toHaveLength(1);
  // Answering looks again at what the call would do, but the tool is not asked a second time.
  expect(deploy.asked).toEqual([undefined]);
  expect(deploy.built).toHaveLength(1);
  expect(deploy.ran[0]).toBe(deploy.built[0]);
});

test('where no rule names the tool and it throws, the call is an error with its message [E2]', async () => {
  const deploy = new Deploy({ confirm: () => Promise.reject(new Error('Not on a Friday.')) });
  const { call } = await open(deploy);
  const failure = failureOf(await call({ target: 'eu' }));
  expect(failure).toEqual({ code: 'execution_failed', message: 'Not on a Friday.' });
  expect(failure && explain(failure).message).toBe('Not on a Friday.');
  expect(deploy.ran).toEqual([]);
});

test('a deny never calls shouldConfirmExecute [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => false });
  const { call } = await open(deploy, {
    rules: [{ toolName: 'deploy', decision: 'deny', denyMessage: 'Never.' }],
  });
  expect(failureOf(await call({ target: 'eu' }))).toMatchObject({
    code: 'policy_violation',
    reason: 'Never.',
  });
  expect(deploy.asked).toEqual([]);
});

test('in plan mode a call with effects is denied without asking the tool [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => false });
  const { call } = await open(deploy, { approvalMode: ApprovalMode.PLAN });
  expect(failureOf(await call({ target: 'eu' }))?.code).toBe('policy_violation');
  expect(deploy.asked).toEqual([]);
});

test('in yolo mode the tool is not asked and the call runs [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => info });
  const { call } = await open(deploy, { approvalMode: ApprovalMode.YOLO });
  expect((await call({ target: 'eu' })).status).toBe('success');
  expect(deploy.asked).toEqual([]);
});

test('a rule that allows the tool runs it without asking the tool [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => info });
  const { call } = await open(deploy, { rules: [{ toolName: 'deploy', decision: 'allow' }] });
  expect((await call({ target: 'eu' })).status).toBe('success');
  expect(deploy.asked).toEqual([]);
});

test('when a rule asks, the tool learns it and supplies the details [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => info });
  const { ask } = await open(deploy, { rules: [{ toolName: 'deploy', decision: 'ask_user' }] });
  const { question } = await ask({ target: 'eu' });
  expect(question.confirmation).toMatchObject(info);
  expect(deploy.asked).toEqual(['ask_user']);
});

test('when policy asks and the tool has no details, a plain question shows the arguments [E2]', async () => {
  const deploy = new Deploy({ confirm: async () => false });
  const { ask } = await open(deploy, { approvalMode: ApprovalMode.CONFIRM_ALWAYS });
  const { question } = await ask({ target: 'eu' });
  expect(question.confirmation).toMatchObject({
    type: 'info',
    title: 'Deploy to eu',
    prompt: expect.stringContaining('"target": "eu"'),
  });
  expect(deploy.asked).toEqual(['ask_user']);
});

test('a path outside the workspace asks whatever the tool and the mode allow [P5] [E2]', async () => {
  const deploy = new Deploy({
    kind: Kind.Edit,
    locations: () => [{ path: '/etc/hosts' }],
    confirm: async () => info,
  });
  const { ask } = await open(deploy, { approvalMode: ApprovalMode.YOLO });
  expect((await ask({ target: 'eu' })).verdict).toMatchObject({ because: 'guard', matched: '/etc/hosts' });
  expect(deploy.asked).toEqual(['ask_user']);
});

test('the default shouldConfirmExecute asks about effects and lets reading pass [E2]', async () => {
  const writing = await open(new Deploy({ kind: Kind.Execute }));
  expect((await writing.ask({ target: 'eu' })).question.confirmation).toMatchObject({
    type: 'info',
    prompt: 'Deploy to eu',
  });
  const reading = await open(new Deploy({ kind: Kind.Read }));
  expect((await reading.call({ target: 'eu' })).status).toBe('success');
});

test('no user attached: the tool may still decide that no question is needed, and a call that it asks about is denied [A8] [E2]', async () => {
  const free = await open(new Deploy({ confirm: async () => false }), {
    interactive: false,
    attended: 'nobody',
  });
  expect((await free.call({ target: 'eu' })).status).toBe('success');
  const asking = await open(new Deploy(), { interactive: false, attended: 'nobody' });
  expect(failureOf(await asking.call({ target: 'eu' }))?.code).toBe('nobody_to_ask');
});

test("a tool's own onConfirm receives the answer, once [E2]", async () => {
  const outcomes: unknown[] = [];
  const confirm = async () => ({ ...info, onConfirm: (outcome: string) => void outcomes.push(outcome) });
  const deploy = new Deploy({ confirm });
  const { call } = await open(deploy);
  expect((await call({ target: 'eu' }, ['proceed_once'])).status).toBe('success');
  expect(outcomes).toEqual(['proceed_once']);
  expect((await call({ target: 'us' }, ['cancel'])).status).toBe('cancelled');
  expect(outcomes).toEqual(['proceed_once', 'cancel']);
});

test('if its onConfirm throws, the call is an error and nothing runs [E2]', async () => {
  const onConfirm = () => Promise.reject(new Error('no longer wanted'));
  const deploy = new Deploy({ confirm: async () => ({ ...info, onConfirm }) });
  const { call } = await open(deploy);
  expect(failureOf(await call({ target: 'eu' }, ['proceed_once']))).toMatchObject({
    message: 'no longer wanted',
  });
  expect(deploy.ran).toEqual([]);
});

test('a policy with a rule that cannot be used lets no call pass [P2]', async () => {
  const engine = new PolicyEngine({ defaults: false });
  const deploy = new Deploy({ confirm: async () => false });
  const { call } = await open(deploy, { policyEngine: engine });
  await expect(engine.addRule({ toolName: 'other', argsPattern: '(', decision: 'deny' })).rejects.toThrow(
    'argsPattern',
  );
  expect(failureOf(await call({ target: 'eu' }))).toMatchObject({
    code: 'plan_failed',
    message: expect.stringContaining('argsPattern'),
  });
  expect(engine.removeRulesForTool('other')).toBe(1);
  expect((await call({ target: 'eu' })).status).toBe('success');
});
