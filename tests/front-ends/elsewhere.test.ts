import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@countersign/server/client';
import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { must } from '../server/serving.js';
import { until } from './front-end.js';
import { expectDone, owning } from './owning.js';

test('a question of another process is answered on the command line, and carried out there [A6] [C4]', async ({
  place,
}) => {
  const owner = await owning(place);
  expect(await place.run(['approvals', 'answer', 'owned/w', 'proceed_once'])).toMatchObject({ code: 0 });
  await expectDone(owner, place);
});

test('a question of another process is offered to who resumes its session over stdio [A6] [C4]', async ({
  place,
}) => {
  const owner = await owning(place);
  const other = place.start(['exec', '--resume', 'owned', '--approvals', 'stdio']);
  const question = await other.approval('w');
  other.answer(question, 'proceed_once');
  await other.line({ type: 'ack', id: 'w', ok: true });
  other.end();
  expect(await other.ended()).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.objectContaining({ callId: 'w' })]),
  });
  await expectDone(owner, place);
});

test('a question of another process is answered over HTTP, and gone from the inbox then [A6] [W3]', async ({
  place,
}) => {
  const owner = await owning(place);
  const server = place.start(['serve', '--port', '0']);
  const url = await server.text(/http:\/\/[^/]+(?=\/#)/);
  const { tokens } = JSON.parse(readFileSync(join(place.home, 'server-tokens.json'), 'utf8'));
  const client = createClient({ url, token: tokens[0].token });
  const waiting = async () => must(await client.listApprovals({})).approvals;
  const { sessionId, callId, digest } = await until(async () => (await waiting())[0], 'the question');
  must(await client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }));
  await expectDone(owner, place);
  await until(async () => (await waiting()).length === 0, 'an empty inbox');
});

test('an answer to the question of a process that has died takes its session up [A6] [S3]', async ({
  place,
}) => {
  const owner = await owning(place);
  owner.signal('SIGKILL');
  await owner.ended();
  const answered = await place.run(['approvals', 'answer', 'owned/w', 'proceed_once']);
  expect(answered).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('new');
});
