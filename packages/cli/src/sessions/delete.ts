import { visibleLine } from '@countersign/display';
import { outputsOf } from '../compose/compose.js';
import { withStore } from '../compose/known-store.js';
import { ackEach } from '../io/ack-line.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { readOptions, readStore } from '../options/options.js';
import { askYesOrNo } from '../terminal/yes-or-no.js';
import { deleteSession } from './delete-session.js';

export async function deleteSessions(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    yes: { type: 'boolean', short: 'y' },
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  const ids = [...new Set(positionals)];
  if (ids.length === 0)
    throw usage('Which session should be deleted?', 'countersign sessions delete ID, as list shows it');
  if (!values.yes) {
    const what = ids.length === 1 ? `the session ${visibleLine(ids[0] ?? '')}` : `${ids.length} sessions`;
    const question = `Delete ${what} and everything stored for it permanently?`;
    const answer = await askYesOrNo(question, 'countersign sessions delete ID --yes', io);
    if (answer !== 'yes') {
      say(io, 'Nothing was deleted.');
      return answer === 'no' ? EXIT.notAll : EXIT.interrupted;
    }
  }
  return withStore(values.store, io, 'write', async (journal) => {
    const outputs = outputsOf(readStore(values.store), io.env);
    const options = { done: 'Deleted', json: values.json };
    const by = io.env['USER'] ?? 'command line';
    return ackEach(new Set(ids), options, io, async (id) =>
      journal
        ? deleteSession(journal, id, outputs, { by, key: null })
        : { ok: false, failure: { code: 'unknown_session', sessionId: id } },
    );
  });
}
