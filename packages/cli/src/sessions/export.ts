import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Journal, readPages, type SessionInfo } from '@countersign/engine';
import { errnoOf } from '@countersign/host';
import { oneId, withSession } from '../compose/known-store.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { messageOf, usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { VERSION } from '../io/version.js';
import { readOptions } from '../options/options.js';

/** Incremented when older readers could misread a newer export. */
const EXPORT_VERSION = 1;

/** An export may contain secrets: the file is readable only by the user. */
const FILE_MODE = 0o600;

/** Prints a header line, then the events of a session as JSON lines. The output is deterministic. */
export async function exportSession(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    output: { type: 'string', short: 'o' },
    store: { type: 'string' },
  });
  const { output } = values;
  return withSession(
    values.store,
    oneId('sessions export', positionals),
    io,
    'read',
    async (journal, info) => {
      const lines = linesOf(info, journal);
      // Not escaped for the terminal, since programs read it.
      if (output === undefined) for await (const line of lines) await written(io, line);
      else {
        const count = await writeNew(resolve(io.cwd, output), lines);
        say(io, `Wrote ${count - 1} events of ${info.sessionId} to ${output}.`);
      }
      return EXIT.ok;
    },
  );
}

/** Reads page by page, since a session may exceed memory. Omits events that are recorded meanwhile. */
async function* linesOf(info: SessionInfo, journal: Journal): AsyncGenerator<string> {
  const { sessionId, workspace, mode, createdAt } = info;
  // A store on disk has all events, numbered without gaps.
  const { seq: facts } = info;
  const header = {
    type: 'countersign-session',
    version: EXPORT_VERSION,
    program: VERSION,
    sessionId,
    workspace,
    mode,
    createdAt,
    facts,
  };
  yield `${JSON.stringify(header)}\n`;
  for await (const page of readPages(journal, sessionId))
    for (const { seq, event } of page) {
      if (seq >= facts) return;
      yield `${JSON.stringify({ seq, event })}\n`;
    }
}

/** Resolves when the buffer has room. */
async function written({ stdout }: Io, line: string): Promise<void> {
  if (!stdout.write(line)) await once(stdout, 'drain');
}

/** Never overwrites a file, and removes an incomplete one. Returns the number of lines. */
async function writeNew(path: string, lines: AsyncIterable<string>): Promise<number> {
  const cannot = (thrown: unknown) =>
    usage(
      `${path} cannot be written: ${reasonOf(thrown)}`,
      '--output FILE, with a file that does not exist yet',
    );
  const file = await open(path, 'wx', FILE_MODE).catch((thrown: unknown) => {
    throw cannot(thrown);
  });
  try {
    let count = 0;
    for await (const line of lines) {
      await file.writeFile(line);
      count++;
    }
    await file.sync();
    return count;
  } catch (thrown) {
    await rm(path, { force: true });
    throw cannot(thrown);
  } finally {
    await file.close();
  }
}

const reasonOf = (thrown: unknown): string =>
  errnoOf(thrown) === 'EEXIST' ? 'the file already exists' : messageOf(thrown);
