import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Journal, sqliteJournal } from '@countersign/engine';
import { explain, type Failure, type SettledCall } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApprovalMode, Kind } from '../enums.js';
import { PolicyEngine, type PolicyRule } from '../policy-engine.js';
import { BaseDeclarativeTool } from './base-declarative-tool.js';
import { BaseToolInvocation } from './base-tool-invocation.js';
import { toEngineTool } from './engine-tool.js';
import type { ModifiableTool, ModifyContext } from './modifiable-tool.js';
import { type SessionOptions, sessionWith, type TestSession, temporaryWorkspace } from './testing/session.js';
import type {
  ExecuteOptions,
  ForcedDecision,
  PlainTool,
  ToolLocation,
  ToolOwnConfirmation,
  ToolResult,
} from './tool-types.js';

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

type Params = { readonly target: string };
type Behaviour = {
  readonly kind?: Kind;
  readonly locations?: (params: Params) => readonly ToolLocation[];
  readonly confirm?: (
    params: Params,
    forced: ForcedDecision | undefined,
  ) => Promise<ToolOwnConfirmation | false>;
  readonly execute?: (
    params: Params,
    update: ((text: string) => void) | undefined,
    options?: ExecuteOptions,
  ) => Promise<ToolResult>;
  readonly canUpdateOutput?: boolean;
};

/** A class-style tool that notes what is done with it. */
class Deploy extends BaseDeclarativeTool<Params, ToolResult> {
  readonly built: DeployInvocation[] = [];
  readonly asked: (ForcedDecision | undefined)[] = [];
  readonly ran: DeployInvocation[] = [];

  constructor(readonly behaviour: Behaviour = {}) {
    const schema = { type: 'OBJECT', properties: { target: { type: 'STRING' } }, required: ['target'] };
    super(
      'deploy',
      'Deploy',
      'Deploy to a target.',
      behaviour.kind ?? Kind.Execute,
      schema,
      false,
      behaviour.canUpdateOutput ?? true,
    );
  }

  protected override validateToolParamValues({ target }: Params): string | null {
    return target === 'moon' ? '"target" must be on earth' : null;
  }

  protected createInvocation(params: Params): DeployInvocation {
    const invocation = new DeployInvocation(params, this);
    this.built.push(invocation);
    return invocation;
  }
}

class DeployInvocation extends BaseToolInvocation<Params, ToolResult> {
  constructor(
    params: Params,
    readonly tool: Deploy,
  ) {
    super(params);
  }
  getDescription(): string {
    return `Deploy to ${this.params.target}`;
  }
  override toolLocations(): readonly ToolLocation[] {
    return this.tool.behaviour.locations?.(this.params) ?? [];
  }
  override async shouldConfirmExecute(
    signal: AbortSignal,
    forced?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false> {
    this.tool.asked.push(forced);
    const { confirm } = this.tool.behaviour;
    return confirm ? confirm(this.params, forced) : super.shouldConfirmExecute(signal, forced);
  }
  async execute(
    _signal: AbortSignal,
    update?: (text: string) => void,
    options?: ExecuteOptions,
  ): Promise<ToolResult> {
    this.tool.ran.push(this);
    const { execute } = this.tool.behaviour;
    return execute
      ? execute(this.params, update, options)
      : { llmContent: `deployed to ${this.params.target}`, returnDisplay: 'done' };
  }
}

async function open(
  tool: Deploy | PlainTool,
  options: SessionOptions & { readonly rules?: readonly PolicyRule[] } = {},
) {
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

test('bad arguments are an error that says which one is wrong and what is expected [L3]', async () => {
  const { call } = await open(new Deploy());
  expect(failureOf(await call({}))).toEqual({
    code: 'invalid_tool_params',
    name: 'deploy',
    problems: ['"target" is required (string)'],
  });
  expect(failureOf(await call({ target: 'moon' }))).toMatchObject({
    problems: ['"target" must be on earth'],
  });
});

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

test('when a rule asks, the tool is told so and supplies the details [E2]', async () => {
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

test('a path outside the workspace asks whatever the tool and the mode say [P5] [E2]', async () => {
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

test('nobody attached: the tool may still say that no question is needed, and what it asks about is denied [A8] [E2]', async () => {
  const free = await open(new Deploy({ confirm: async () => false }), {
    interactive: false,
    attended: 'nobody',
  });
  expect((await free.call({ target: 'eu' })).status).toBe('success');
  const asking = await open(new Deploy(), { interactive: false, attended: 'nobody' });
  expect(failureOf(await asking.call({ target: 'eu' }))?.code).toBe('nobody_to_ask');
});

test("a tool's own onConfirm is told of the answer, once [E2]", async () => {
  const told: unknown[] = [];
  const confirm = async () => ({ ...info, onConfirm: (outcome: string) => void told.push(outcome) });
  const deploy = new Deploy({ confirm });
  const { call } = await open(deploy);
  expect((await call({ target: 'eu' }, ['proceed_once'])).status).toBe('success');
  expect(told).toEqual(['proceed_once']);
  expect((await call({ target: 'us' }, ['cancel'])).status).toBe('cancelled');
  expect(told).toEqual(['proceed_once', 'cancel']);
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

test('what a tool does to its parameters does not change what was asked for', async () => {
  const deploy = new Deploy({
    confirm: async () => false,
    execute: async (params) => {
      Reflect.set(params, 'target', 'everywhere');
      return { llmContent: params.target, returnDisplay: '' };
    },
  });
  const { call } = await open(deploy);
  expect(await call({ target: 'eu' })).toMatchObject({
    request: { args: { target: 'eu' } },
    result: { llmContent: 'everywhere' },
  });
});

test('locations are resources: read or written by kind, from the workspace, links resolved [E2]', async () => {
  const { config } = await open(new Deploy());
  mkdirSync(join(place.workspace, 'dir'));
  symlinkSync('dir', join(place.workspace, 'link'));
  const drafted = async (kind: Kind, locations: readonly ToolLocation[]) => {
    const tool = toEngineTool(new Deploy({ kind, locations: () => locations, confirm: async () => false }), {
      config,
      wantsOutput: () => false,
    });
    const context = { callId: 'a', workspace: place.workspace, signal: new AbortController().signal };
    const { resources, repeat } = await tool.plan({ target: 'eu' }, context);
    return { resources, repeat };
  };
  const file = join(place.workspace, 'dir/a.txt');
  const at = [{ path: 'link/a.txt', line: 3 }];
  expect(await drafted(Kind.Read, at)).toEqual({
    resources: [{ kind: 'fs.read', path: file, scope: 'file' }],
    repeat: 'safe',
  });
  expect(await drafted(Kind.Search, [{ path: 'link' }])).toMatchObject({
    resources: [{ kind: 'fs.read', scope: 'tree' }],
  });
  for (const kind of [Kind.Edit, Kind.Delete, Kind.Move, Kind.Execute, Kind.Other])
    expect(await drafted(kind, at)).toEqual({
      resources: [{ kind: 'fs.write', path: file, scope: 'file' }],
      repeat: 'unsafe',
    });
  for (const kind of [Kind.Read, Kind.Think, Kind.Fetch])
    expect(await drafted(kind, [])).toEqual({ resources: [], repeat: 'safe' });
  for (const kind of [Kind.Communicate, Kind.Plan])
    expect(await drafted(kind, [])).toEqual({ resources: [], repeat: 'unsafe' });
  const unknown = { kind: 'opaque', why: 'deploy does not say what it touches' };
  for (const kind of [Kind.Execute, Kind.Edit, Kind.Other])
    expect(await drafted(kind, [])).toEqual({ resources: [unknown], repeat: 'unsafe' });
});

test('two edits of one file by a class-style tool run one after the other, and both land [S2]', async () => {
  const path = join(place.workspace, 'list.txt');
  writeFileSync(path, '');
  const append = new Deploy({
    kind: Kind.Edit,
    locations: () => [{ path: 'list.txt' }],
    confirm: async () => false,
    execute: async ({ target }) => {
      const before = readFileSync(path, 'utf8');
      await new Promise((resolve) => setTimeout(resolve, 10));
      writeFileSync(path, `${before}${target}\n`);
      return { llmContent: 'ok', returnDisplay: 'ok' };
    },
  });
  const { session } = await open(append);
  const targets = ['a', 'b', 'c', 'd'];
  await session.schedule(targets.map((target) => ({ name: 'deploy', args: { target }, origin: 'model' })));
  expect(readFileSync(path, 'utf8')).toBe('a\nb\nc\nd\n');
});

const editing = (path: string): Behaviour => ({
  kind: Kind.Edit,
  locations: () => [{ path }],
  confirm: async ({ target }) => {
    const originalContent = readFileSync(path, 'utf8');
    return {
      type: 'edit',
      title: 'Edit',
      filePath: path,
      originalContent,
      newContent: `${originalContent}${target}\n`,
    };
  },
  execute: async ({ target }) => {
    writeFileSync(path, `${readFileSync(path, 'utf8')}${target}\n`);
    return { llmContent: 'ok', returnDisplay: 'ok' };
  },
});

test('an edit whose file changed since it was shown is asked about anew, with the new difference [A3]', async () => {
  const path = join(place.workspace, 'a.txt');
  writeFileSync(path, 'one\n');
  const deploy = new Deploy(editing(path));
  const { ask, session, waiting } = await open(deploy);
  const { question, request } = await ask({ target: 'eu' });
  expect(question.confirmation).toMatchObject({
    type: 'edit',
    fileName: 'a.txt',
    diffStat: { added: 1, removed: 0 },
  });
  writeFileSync(path, 'other\n');
  const answer = { type: 'answer', callId: request.callId, outcome: 'proceed_once', by: 'test' } as const;
  expect(await session.send({ ...answer, digest: question.digest })).toMatchObject({
    ok: false,
    failure: { code: 'question_changed' },
  });
  const again = waiting();
  expect(again?.question.confirmation).toMatchObject({
    originalContent: 'other\n',
    newContent: 'other\neu\n',
  });
  expect(await session.send({ ...answer, digest: again?.question.digest ?? '' })).toMatchObject({ ok: true });
  await session.idle();
  expect(readFileSync(path, 'utf8')).toBe('other\neu\n');
});

test('an approved edit does not run on a file that has changed meanwhile [A3]', async () => {
  const path = join(place.workspace, 'a.txt');
  writeFileSync(path, 'one\n');
  const { session } = await open(new Deploy(editing(path)));
  const batch = session.schedule(
    ['a', 'b'].map((target) => ({ name: 'deploy', args: { target }, origin: 'model' })),
    { start: 'together' },
  );
  await session.idle();
  const waiting = session.snapshot().filter((call) => call.status === 'awaiting_approval');
  for (const { request, question } of waiting)
    await session.send({
      type: 'answer',
      callId: request.callId,
      digest: question.digest,
      outcome: 'proceed_once',
      by: 'test',
    });
  const ended = await batch;
  expect(ended.ok && ended.calls.map((call) => [call.status, failureOf(call)?.code])).toEqual([
    ['success', undefined],
    ['error', 'stale_file'],
  ]);
  expect(readFileSync(path, 'utf8')).toBe('one\na\n');
});

test('a failure that the tool reports is an error with its message, its own name for it, and its output [E2]', async () => {
  const report = async (error: ToolResult['error']) => {
    const result = {
      llmContent: [{ text: 'half' }, { text: 'done' }],
      returnDisplay: 'x',
      ...(error && { error }),
    };
    const { call } = await open(new Deploy({ confirm: async () => false, execute: async () => result }));
    return call({ target: 'eu' });
  };
  expect(await report({ message: 'no such target' })).toMatchObject({
    status: 'error',
    failure: { code: 'execution_failed', message: 'no such target' },
    partial: { output: 'half\ndone' },
  });
  expect(await report({ message: 'm', type: 'edit_no_occurrence_found' })).toMatchObject({
    failure: { code: 'execution_failed', message: 'm', type: 'edit_no_occurrence_found' },
  });
  expect(await report({ message: 'later', type: 'temporary' })).toMatchObject({
    failure: { code: 'temporary', message: 'later' },
  });
});

test('what a tool throws passes through', async () => {
  const { call } = await open(
    new Deploy({ confirm: async () => false, execute: () => Promise.reject(new Error('bang')) }),
  );
  expect(failureOf(await call({ target: 'eu' }))).toEqual({ code: 'unhandled_exception', message: 'bang' });
});

test('updateOutput is passed only to a tool that can use it while somebody hears it [E1]', async () => {
  const updates: boolean[] = [];
  const run = async (canUpdateOutput: boolean, wantsOutput: boolean) => {
    const execute: Behaviour['execute'] = async (_, update) => {
      updates.push(update !== undefined);
      return { llmContent: '', returnDisplay: '' };
    };
    const { call } = await open(new Deploy({ canUpdateOutput, confirm: async () => false, execute }), {
      wantsOutput,
    });
    await call({ target: 'eu' });
  };
  await run(true, true);
  await run(true, false);
  await run(false, true);
  expect(updates).toEqual([true, false, false]);
});

test('a run knows its call, its attempt, and how to tell its progress [E2]', async () => {
  const seen: unknown[] = [];
  const execute: Behaviour['execute'] = async (_, __, options) => {
    options?.progress(1, 2, 'half');
    seen.push([options?.callId, options?.attempt]);
    return { llmContent: '', returnDisplay: '' };
  };
  const { call } = await open(new Deploy({ confirm: async () => false, execute }));
  const { request } = await call({ target: 'eu' });
  expect(seen).toEqual([[request.callId, 1]]);
});

test('a question outlives the process: the next one builds the call again and runs it [A6] [E2]', async () => {
  const file = join(place.workspace, '.store', 'journal.db');
  mkdirSync(join(place.workspace, '.store'));
  const inProcess = async (tool: Deploy) => {
    const journal: Journal = await sqliteJournal(file);
    const opened = await open(tool, { journal, sessionId: 'kept' });
    return {
      ...opened,
      close: async () => {
        await opened.session.dispose();
        await journal.close();
      },
    };
  };
  const first = await inProcess(new Deploy({ confirm: async () => info }));
  const { question } = await first.ask({ target: 'eu' });
  await first.close();

  const deploy = new Deploy({ confirm: async () => info });
  const second = await inProcess(deploy);
  const again = second.waiting();
  expect(again?.question).toEqual(question);
  await second.session.send({
    type: 'answer',
    callId: again?.request.callId ?? '',
    digest: question.digest,
    outcome: 'proceed_once',
    by: 'test',
  });
  await second.session.idle();
  expect(deploy.ran.map(({ params }) => params)).toEqual([{ target: 'eu' }]);
  await second.close();
});

class Rewrite extends Deploy implements ModifiableTool<Params> {
  getModifyContext(): ModifyContext<Params> {
    return {
      getFilePath: () => 'a.txt',
      getCurrentContent: async () => 'now',
      getProposedContent: async ({ target }) => target,
      createUpdatedParams: (old, modified) => ({ target: `${old} to ${modified}` }),
    };
  }
}

test("a person's own content reaches a modifiable tool through its modify context [A4]", async () => {
  const rewrite = new Rewrite({ confirm: async () => info });
  const { ask, session } = await open(rewrite);
  const { question, request } = await ask({ target: 'eu' });
  const payload = { newContent: 'mine' };
  const answer = {
    type: 'answer',
    callId: request.callId,
    digest: question.digest,
    outcome: 'proceed_once',
    by: 'test',
    payload,
  } as const;
  expect(await session.send(answer)).toMatchObject({ ok: true });
  await session.idle();
  expect(rewrite.ran.map(({ params }) => params)).toEqual([{ target: 'now to mine' }]);
});

test('a plain tool is checked, asked and run like any other [E2]', async () => {
  const asked: unknown[] = [];
  const count: PlainTool<{ readonly text: string }> = {
    name: 'count',
    description: 'Count letters.',
    schema: {
      name: 'count',
      parameters: { type: 'OBJECT', properties: { text: { type: 'STRING' } }, required: ['text'] },
    },
    canUpdateOutput: true,
    validateToolParams: ({ text }) => (text === '' ? '"text" must not be empty' : null),
    shouldConfirmExecute: async ({ text }, _, forced) => {
      asked.push(forced);
      return text === 'secret' ? { type: 'info', title: 'Count it?' } : false;
    },
    execute: async ({ text }, _, update) => {
      update?.('counting');
      return { llmContent: String(text.length), returnDisplay: `${text.length} letters` };
    },
  };
  const opened = await sessionWith([count], { targetDir: place.workspace });
  sessions.push(opened);
  expect(await opened.call({ text: 'four' })).toMatchObject({
    status: 'success',
    result: { llmContent: '4' },
  });
  expect(failureOf(await opened.call({}))).toMatchObject({ problems: ['"text" is required (string)'] });
  expect(failureOf(await opened.call({ text: '' }))).toMatchObject({
    problems: ['"text" must not be empty'],
  });
  const { question } = await opened.ask({ text: 'secret' });
  expect(question.confirmation).toEqual({
    type: 'info',
    title: 'Count it?',
    prompt: 'count {\n  "text": "secret"\n}',
    urls: [],
  });
  expect(asked).toEqual([undefined, undefined]);
});

test('a plain tool without an opinion asks exactly if it has an effect [E2]', async () => {
  const tool = (kind?: Kind): PlainTool => ({
    name: 'act',
    description: 'Act.',
    ...(kind && { kind }),
    execute: async () => ({ llmContent: 'done', returnDisplay: '' }),
  });
  const reading = await open(tool(Kind.Read));
  expect((await reading.call({})).status).toBe('success');
  const unknown = await open(tool());
  expect((await unknown.ask({})).plan.resources).toEqual([
    { kind: 'opaque', why: 'act does not say what it touches' },
  ]);
});

test('a policy with a rule that can not be used lets no call pass [P2]', async () => {
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
