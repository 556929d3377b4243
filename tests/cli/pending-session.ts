import { sqliteJournal } from '@countersign/store-sqlite';
import { openTestSession, testTool, until } from '@countersign/testkit';

const edit = testTool({
  name: 'edit',
  kind: 'edit',
  plan: () => ({
    resources: [{ kind: 'fs.write', path: '/w/f', scope: 'file' }],
    confirmation: {
      ...{ type: 'edit', title: 'edit', fileName: 'f', filePath: '/w/f', fileDiff: '' },
      ...{ originalContent: null, newContent: '', diffStat: { added: 1, removed: 0 } },
    } as const,
  }),
});

/** Leaves a session in the store whose only call, `ask`, waits for a person. */
export async function leavePending(file: string, sessionId: string): Promise<void> {
  const journal = await sqliteJournal(file);
  const { session } = await openTestSession([edit], { journal, sessionId });
  void session.schedule([{ callId: 'ask', name: 'edit' }]);
  await until(() => session.snapshot()[0]?.status === 'awaiting_approval', 'it asks');
  await session.dispose();
  await journal.close();
}
