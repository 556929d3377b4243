import { visibleLine } from '@countersign/display';
import { explain, type Failure } from '@countersign/protocol';
import { outputsOf } from '../compose/compose.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { failureText, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { readOptions, readStore } from '../options/options.js';
import { askYesOrNo } from '../terminal/yes-or-no.js';
import { deleteSession, type SessionDeleted } from './delete-session.js';
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
      const outputs = outputsOf(readStore(values.store), io.env);
      const unknown = { ok: false, failure: { code: 'unknown_session', sessionId: id } } as const;
      const deleted = journal ? await deleteSession(journal, id, outputs) : unknown;
      const failure = deleted.ok ? null : deleted.failure;
      if (failure) allDeleted = false;
      if (values.json)
        printJson(io, { type: 'ack', id, ok: failure === null, ...(failure && errorOf(failure)) });
      else say(io, deletedText(id, deleted));
    }
    return allDeleted ? EXIT.ok : EXIT.notAll;
  });
}

function deletedText(id: string, deleted: SessionDeleted): string {
  if (!deleted.ok) return failureText(deleted.failure);
  const { commandsEnded } = deleted;
  const commands = commandsEnded === 1 ? 'a command that was' : `${commandsEnded} commands that were`;
  return commandsEnded === 0 ? `Deleted ${id}.` : `Ended ${commands} still running, and deleted ${id}.`;
}

const errorOf = (failure: Failure) => ({ error: { type: failure.code, ...explain(failure) } });
