import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { longSession } from './long-session.js';
import { openAnswer } from './open-answer.js';
import { Serving, TOKENS } from './serving.js';

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start({ limits: { bufferedBytesPerPerson: 1_000_000 } });
});
afterEach(() => serving.close());

const headers = { authorization: `Bearer ${TOKENS[0]?.token}` };
const urlOf = (what: string): string => `${serving.server.url}/api/sessions/long/${what}`;

test('an export for which there is no room is refused with an answer [W4]', async () => {
  await longSession(serving.journal, serving.workspace, 'long', { facts: 60, charsPerFact: 400_000 });
  for (let client = 0; client < 8; client++) {
    const unread = await openAnswer(urlOf('events'), headers, 'does not read');
    onTestFinished(unread.leave);
  }
  // Until the connections have taken what they hold by themselves.
  await sleep(2_000);
  const refused = await fetch(urlOf('export'), { headers });
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'too_much_unread' } }]);
});

test('an export of an altered session reports the damage [J4]', async () => {
  await longSession(serving.journal, serving.workspace, 'long', { facts: 6, charsPerFact: 10 });
  const db = new Database(join(serving.directory, 'countersign.db'));
  // In the first page, and not where the session is looked up: that is refused before the export begins.
  db.exec(`UPDATE journal SET body = replace(body, 'xxx', 'yyy') WHERE first_seq = 4`);
  db.close();
  const failed = await fetch(urlOf('export'), { headers });
  expect([failed.status, await failed.json()]).toMatchObject([500, { error: { code: 'journal_corrupt' } }]);
});

test('an export is complete, from the first fact to the last [W4]', async () => {
  await longSession(serving.journal, serving.workspace, 'long', { facts: 12, charsPerFact: 300_000 });
  const lines = (await (await fetch(urlOf('export'), { headers })).text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: 12 }, (_, seq) => seq));
});
