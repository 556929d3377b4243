import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
beforeEach(() => {
  served = new Served();
});
afterEach(() => served.close());

const asked = () =>
  until(async () => {
    const [first] = must(await served.client.listApprovals({})).approvals;
    return first;
  });

async function factsOf(sessionId: string, isThere: (texts: string) => boolean): Promise<string> {
  return until(async () => {
    const { facts } = must(await served.client.listFacts({ sessionId, limit: 500 }));
    const texts = JSON.stringify(facts);
    return isThere(texts) ? texts : undefined;
  });
}

test('without a model the demonstration runs to its end, even after kill -9 during a question [W1] [W2] [A6]', async () => {
  await served.start('--port', '0');
  expect(must(await served.client.whoAmI({})).model).toBeNull();
  const { sessionId, workspace } = must(await served.client.startDemonstration({ body: {} }));
  const before = await asked();
  expect([before.sessionId, before.tool]).toEqual([sessionId, 'replace']);

  await served.end('SIGKILL');
  await served.start('--port', '0');
  const after = await asked();
  expect(after).toEqual(before);
  const { callId, digest } = after;
  must(await served.client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }));
  await factsOf(sessionId, (texts) => texts.includes('The poem ends with “A countersigned log is finer.”'));
  expect(readFileSync(join(workspace, 'poem.txt'), 'utf8')).toContain('A countersigned log is finer.');
});

test('the folder of a demonstration accepts no other session [W3]', async () => {
  await served.start('--port', '0');
  const { workspace } = must(await served.client.startDemonstration({ body: {} }));
  await asked();
  const other = await served.client.createSession({ body: { workspace } });
  expect(other).toMatchObject({ ok: false, error: { code: 'workspace_not_served' } });
});

test('if the default port is in use, another one is used and printed [C1]', async () => {
  await served.start();
  const other = new Served();
  try {
    await other.start();
    expect(other.stderr).toMatch(/Port \d+ is in use/);
    expect(other.port).not.toBe(served.port);
  } finally {
    await other.close();
  }
});
