import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import { openTestSession, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';

const nested = (levels: number): JsonObject => {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
};

test.each([
  [100, 'mcp'],
  [2_000, 'info'],
  [200_000, 'info'],
])(
  'a question with JSON of %i levels is asked, with what can be stored of it [A1] [J1]',
  async (levels, type) => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-deep-'));
    const journal = await sqliteJournal(join(directory, 'countersign.db'));
    const toolArgs = nested(levels);
    const mcp = { serverName: 's', toolName: 't', toolDisplayName: 't', toolDescription: '', toolArgs };
    const asking = testTool({
      name: 'deep',
      kind: 'other',
      plan: () => ({
        resources: [{ kind: 'opaque', why: 'it is a test' }],
        confirmation: { type: 'mcp', title: 'Deep', ...mcp },
      }),
    });
    const { session, troubles } = await openTestSession([asking], { journal });
    const ended = session.schedule([{ name: 'deep', args: { word: 'shown' } }], { attended: 'somebody' });
    await until(() => session.snapshot()[0]?.status === 'awaiting_approval', 'the question');
    const [call] = session.snapshot();
    if (call?.status !== 'awaiting_approval') throw new Error('it does not wait');
    expect(call.question.confirmation).toMatchObject({ type, title: type === 'mcp' ? 'Deep' : 'deep' });
    if (type === 'info') expect(JSON.stringify(call.question.confirmation)).toContain('shown');
    await session.send({ type: 'cancel', target: { type: 'all' }, by: 'test' });
    await ended;
    expect(troubles).toEqual([]);
    await session.dispose();
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  },
);
