import { rm } from 'node:fs/promises';
import { visibleLine } from '@countersign/display';
import { type Journal, SessionDirectory } from '@countersign/engine';
import { explain, type Failure } from '@countersign/protocol';
import { outputsOf } from '../compose/compose.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { failureText, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { readOptions, readStore } from '../options/options.js';
import { askYesOrNo } from '../terminal/yes-or-no.js';
import { withStore } from './known-store.js';

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
  return withStore(values.store, io, async (journal) => {
    let allDeleted = true;
    for (const id of ids) {
      const failure = await deleteOne(journal, id, outputsOf(readStore(values.store), io.env));
      if (failure) allDeleted = false;
      if (values.json)
        printJson(io, { type: 'ack', id, ok: failure === null, ...(failure && errorOf(failure)) });
      else say(io, failure ? failureText(failure) : `Deleted ${id}.`);
    }
    return allDeleted ? EXIT.ok : EXIT.notAll;
  });
}

/** The facts first: what is left after a crash in between is files that nothing mentions. */
async function deleteOne(
  journal: Journal | null,
  sessionId: string,
  outputs: string,
): Promise<Failure | null> {
  if (!journal) return { code: 'unknown_session', sessionId };
  const deleted = await journal.delete(sessionId);
  if (!deleted.ok) return deleted.failure;
  await rm(new SessionDirectory(outputs, sessionId).path, { recursive: true, force: true });
  return null;
}

const errorOf = (failure: Failure) => ({ error: { type: failure.code, ...explain(failure) } });
