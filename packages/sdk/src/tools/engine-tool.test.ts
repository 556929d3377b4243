import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Journal } from '@countersign/engine';
import type { Failure, SettledCall } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Kind } from '../types/enums.js';
import type { PlainTool, ToolLocation, ToolResult } from '../types/tool-types.js';
import { toEngineTool } from './engine-tool.js';
import type { ModifiableTool, ModifyContext } from './modifiable-tool.js';
import { type Behaviour, Deploy, type Params } from './testing/deploy.js';
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

async function open(tool: Deploy | PlainTool, options: SessionOptions = {}) {
  const opened = await sessionWith([tool], { targetDir: place.workspace, ...options });
  sessions.push(opened);
  return opened;
}

const failureOf = (call: SettledCall): Failure | null => (call.status === 'error' ? call.failure : null);
const info = { type: 'info', title: 'Deploy?', prompt: 'To the whole world.' } as const;

test('bad arguments are an error that names the wrong one and what is expected [L3]', async () => {
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

test('a tool that changes its parameters does not change the request', async () => {
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
    const context = {
      sessionId: 's',
      callId: 'a',
      workspace: place.workspace,
      signal: new AbortController().signal,
      wasRead: () => true,
      earlier: () => Promise.resolve(null),
      needs: [],
    };
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
  const unknown = { kind: 'opaque', why: 'deploy does not declare what it touches' };
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

test('an edit that is approved as it was shown asks the tool once [A3]', async () => {
  const path = join(place.workspace, 'a.txt');
  writeFileSync(path, 'one\n');
  const deploy = new Deploy(editing(path));
  const { call } = await open(deploy);
  expect((await call({ target: 'eu' }, ['proceed_once'])).status).toBe('success');
  expect(deploy.asked).toHaveLength(1);
  expect(deploy.ran).toEqual(deploy.built);
});

test('an edit whose file changed since it was shown is asked about again, with the new difference [A3]', async () => {
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
  // It is another call now: the tool may have kept what it read for the first one.
  expect(deploy.built).toHaveLength(2);
  expect(deploy.ran).toEqual([deploy.built[1]]);
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

test('an error that a tool throws is passed on', async () => {
  const { call } = await open(
    new Deploy({ confirm: async () => false, execute: () => Promise.reject(new Error('bang')) }),
  );
  expect(failureOf(await call({ target: 'eu' }))).toEqual({ code: 'unhandled_exception', message: 'bang' });
});

test('updateOutput is passed only to a tool that can use it while it has a listener [E1]', async () => {
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

test('a run knows its call and attempt, and can report progress [E2]', async () => {
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

test('a plain tool without shouldConfirmExecute asks exactly if it has an effect [E2]', async () => {
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
    { kind: 'opaque', why: 'act does not declare what it touches' },
  ]);
});
