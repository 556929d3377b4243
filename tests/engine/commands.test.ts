import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_POLICY_SOURCE, loadPolicy, type SessionShell, Toolbox } from '@countersign/engine';
import { classify } from '@countersign/host';
import type { Outcome } from '@countersign/protocol';
import { openTestSession, questionOf, run, until } from '@countersign/testkit';
import { builtInTools } from '@countersign/tools';
import { afterEach, beforeEach, expect, test } from 'vitest';

let workspace: string;
let close: (() => Promise<void>)[];
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-commands-')));
  writeFileSync(join(workspace, 'a.txt'), 'alpha\n');
  close = [];
});
afterEach(async () => {
  for (const dispose of close) await dispose();
  rmSync(workspace, { recursive: true, force: true });
});

/** The real tools under the shipped rules, and these on top of them. */
async function open(rules = ''): Promise<SessionShell> {
  const sources = rules === '' ? [] : [{ file: 'user.toml', text: rules, tier: 'user' as const }];
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE, ...sources], { knownTools: ['run_shell_command'] });
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  const tools = new Toolbox(builtInTools());
  const { session } = await openTestSession([], { tools, workspace, classify, policy: loaded.policy });
  close.push(() => session.dispose());
  return session;
}

const shell = (command: string, callId = 'a') => ({ callId, name: 'run_shell_command', args: { command } });

async function ask(session: SessionShell, command: string, callId = 'a') {
  const ended = session.schedule([shell(command, callId)]);
  await until(() => session.snapshot().some(({ status }) => status === 'awaiting_approval'), 'it asks');
  const question = questionOf(session, callId);
  const answer = (outcome: Outcome) =>
    session.send({ type: 'answer', callId, digest: question.digest, outcome, by: 'ann' });
  return { question, answer, ended };
}

test('commands that only look run without a question; others ask [P4, S2]', async () => {
  const session = await open();
  const [looks] = await run(session, [shell('cat a.txt | tr a-z A-Z')]);
  expect(looks).toMatchObject({ status: 'success', result: { exitCode: 0 } });
  const { question, answer, ended } = await ask(session, 'touch made');
  expect(question.confirmation).toMatchObject({ type: 'exec', rootCommands: ['touch'] });
  expect(await answer('cancel')).toMatchObject({ ok: true });
  expect(await ended).toMatchObject({ calls: [{ status: 'cancelled' }] });
});

test('a path outside asks, by whatever command it is read [P5]', async () => {
  const session = await open();
  for (const command of ['cat /etc/hostname', 'cd / && ls', 'cat ../*', 'wc -l < /etc/hostname']) {
    const outcome = await session.schedule([shell(command)], { attended: 'nobody' });
    expect(outcome).toMatchObject({ calls: [{ status: 'error', failure: { code: 'nobody_to_ask' } }] });
  }
});

test('an always for a command is for exactly its words, or for how it begins with what is omitted [P6, A2]', async () => {
  const session = await open();
  const { question, answer, ended } = await ask(session, 'touch one');
  expect(question.offers.flatMap(({ outcome, grant }) => (grant ? [[outcome, grant.text]] : []))).toEqual([
    ['proceed_always', 'exactly `touch one`, for this session'],
    [
      'proceed_always_tool',
      'commands that begin with `touch`, but not with --reference, --date or another option, for this session',
    ],
    [
      'proceed_always_and_save',
      'commands that begin with `touch`, but not with --reference, --date or another option, in every session of this workspace',
    ],
  ]);
  expect(await answer('proceed_always_tool')).toMatchObject({ ok: true });
  await ended;
  const [again, inLine] = await run(session, [shell('touch two'), shell('ls && touch three', 'b')]);
  expect([again?.status, inLine?.status]).toEqual(['success', 'success']);
  for (const command of [
    'touch four > log',
    'touch five; mkdir d',
    'touch $(mkdir d)',
    './touch six',
    'sudo touch x',
    'touch -r a.txt x',
  ]) {
    const outcome = await session.schedule([shell(command)], { attended: 'nobody' });
    expect(outcome).toMatchObject({ calls: [{ status: 'error', failure: { code: 'nobody_to_ask' } }] });
  }
});

test('what a person types may run this program; a model may not [P1] [P5]', async () => {
  const session = await open();
  const call = { ...shell('./absent/countersign grants list'), origin: 'person' } as const;
  const typed = await session.schedule([call], { attended: 'nobody' });
  // It was run, and not found.
  expect(typed).toMatchObject({ calls: [{ failure: { code: 'command_failed', exitCode: 127 } }] });
  const asked = { ...shell('countersign grants list', 'b'), origin: 'model' } as const;
  const refused = await session.schedule([asked]);
  expect(refused).toMatchObject({
    calls: [
      { failure: { code: 'policy_violation', reason: expect.stringContaining('Only a person may do that') } },
    ],
  });
});

test('what goes beyond a grant asks again, and says which word of it does [P6] [P1]', async () => {
  const session = await open();
  const first = await ask(session, 'touch one');
  await first.answer('proceed_always_tool');
  await first.ended;
  const outcome = await session.schedule([shell('touch -d 2000-01-01 one')], { attended: 'nobody' });
  expect(outcome).toMatchObject({
    calls: [
      {
        failure: {
          reason: expect.stringMatching(/begin with `touch`.* does not cover it, because of `-d`\.$/),
        },
      },
    ],
  });
});

test('an always for a command is for the directory it was shown for [P6]', async () => {
  mkdirSync(join(workspace, 'sub'));
  const session = await open();
  const inSub = (command: string) => {
    const call = shell(command);
    return { ...call, args: { ...call.args, dir_path: 'sub' } };
  };
  const first = await ask(session, 'touch one');
  await first.answer('proceed_always');
  await first.ended;
  for (const call of [inSub('touch one'), shell('cd sub && touch one'), shell('cd sub; touch one')]) {
    const outcome = await session.schedule([call], { attended: 'nobody' });
    expect(outcome).toMatchObject({ calls: [{ failure: { code: 'nobody_to_ask' } }] });
  }
  const second = await ask(session, 'cd sub && touch one', 'b');
  const texts = second.question.offers.flatMap(({ grant }) => (grant ? [grant.text] : []));
  expect(texts[0]).toBe('exactly `touch one` in sub, for this session');
  await second.answer('proceed_always');
  await second.ended;
  const [again] = await run(session, [inSub('touch one')]);
  expect(again).toMatchObject({ permit: { by: { type: 'grant' } } });
  const unknown = await ask(session, 'cd sub; touch one', 'c');
  expect(unknown.question.offers.every(({ grant }) => grant === null)).toBe(true);
  await unknown.answer('cancel');
  await unknown.ended;
});

test('a deny beats the grant, and what can do anything has no always [P6]', async () => {
  const session = await open(
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch secret"\ndecision = "deny"\npriority = 1\n',
  );
  const first = await ask(session, 'touch one');
  await first.answer('proceed_always');
  await first.ended;
  const [denied] = await run(session, [shell('touch secret')]);
  expect(denied).toMatchObject({ status: 'error', failure: { code: 'policy_violation' } });
  for (const command of [
    'rm a.txt',
    'bash x.sh',
    'python3 -c 1',
    'sudo ls',
    'mkdir d > log',
    'FOO=1 mkdir d',
    '$X',
  ]) {
    const { question, answer, ended } = await ask(session, command);
    expect(question.offers.map(({ outcome }) => outcome)).toEqual([
      'proceed_once',
      'modify_with_editor',
      'cancel',
    ]);
    await answer('cancel');
    await ended;
  }
});

test('a changed command is judged again: consent to one is none to another that is denied [A4, P4]', async () => {
  const session = await open(
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 1\n',
  );
  const { question, ended } = await ask(session, 'touch one');
  const ack = await session.send({
    type: 'answer',
    callId: 'a',
    digest: question.digest,
    outcome: 'proceed_once',
    payload: { args: { command: 'touch one; rm a.txt' } },
    by: 'ann',
  });
  expect(ack).toMatchObject({ ok: false, failure: { code: 'policy_violation' } });
  expect(await ended).toMatchObject({ calls: [{ status: 'error' }] });
});
