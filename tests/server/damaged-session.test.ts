import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leavePending } from '../cli/pending-session.js';
import { must, Serving } from './serving.js';

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(() => serving.close());

test.each([
  ['bytes that are not UTF-8', `CAST(x'5bff' AS TEXT)`],
  ['half of its text', 'substr(body, 1, length(body) / 2)'],
])(
  'a server starts with a session whose records hold %s, names it, and serves the others [J1]',
  async (_what, body) => {
    await serving.end();
    const file = join(serving.directory, 'countersign.db');
    for (const session of ['whole', 'broken']) await leavePending(file, session);
    const db = new Database(file);
    db.exec(`UPDATE journal SET body = ${body} WHERE session = 'broken'`);
    db.exec(`UPDATE calls SET body = ${body} WHERE session = 'broken'`);
    db.close();
    await serving.begin();

    const client = serving.client();
    const { sessions } = must(await client.listSessions({}));
    expect(sessions.find(({ sessionId }) => sessionId === 'whole')).toMatchObject({ state: 'waiting' });
    expect(sessions.find(({ sessionId }) => sessionId === 'broken')).toMatchObject({
      damaged: expect.stringContaining('in session broken'),
    });
    expect(must(await client.listApprovals({})).approvals).toMatchObject([{ sessionId: 'whole' }]);
    must(await client.statistics({}));
  },
);
