import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Recorded, SessionInfo } from '@countersign/engine';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { usage } from '../failure-text.js';
import { type Io, say } from '../io.js';
import { readOptions } from '../options.js';
import { VERSION } from '../version.js';
import { oneId, withSession } from './known-store.js';

/** Grows when a reader of older exports could misunderstand a newer one. */
const EXPORT_VERSION = 1;

/** What was said and done may hold anything the person works with: nobody else reads it. */
const FILE_MODE = 0o600;

/** The facts of a session as JSON lines, after one that says what they are. The same session gives the same lines. */
export async function exportSession(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    output: { type: 'string', short: 'o' },
    store: { type: 'string' },
  });
  const { output } = values;
  return withSession(values.store, oneId('export', positionals), io, async (journal, info) => {
    const recorded = await journal.read(info.sessionId, 0);
    // Programs read this, so it is as it is, also in a terminal where a person asks for it.
    if (output === undefined) for (const line of linesOf(info, recorded)) io.stdout.write(line);
    else {
      await writeNew(resolve(io.cwd, output), linesOf(info, recorded));
      say(io, `Wrote ${recorded.length} facts of ${info.sessionId} to ${output}.`);
    }
    return EXIT.ok;
  });
}

function* linesOf(info: SessionInfo, recorded: readonly Recorded[]): Generator<string> {
  const { sessionId, workspace, mode, createdAt } = info;
  const header = {
    type: 'countersign-session',
    version: EXPORT_VERSION,
    program: VERSION,
    sessionId,
    workspace,
    mode,
    createdAt,
    facts: recorded.length,
  };
  yield `${JSON.stringify(header)}\n`;
  for (const { seq, event } of recorded) yield `${JSON.stringify({ seq, event })}\n`;
}

/** Never in the place of another file. What can not be written whole is taken away again. */
async function writeNew(path: string, lines: Iterable<string>): Promise<void> {
  const cannot = (thrown: unknown) =>
    usage(
      `${path} can not be written: ${reasonOf(thrown)}`,
      '--output FILE, with a file that is not there yet',
    );
  const file = await open(path, 'wx', FILE_MODE).catch((thrown: unknown) => {
    throw cannot(thrown);
  });
  try {
    for (const line of lines) await file.writeFile(line);
    await file.sync();
  } catch (thrown) {
    await rm(path, { force: true });
    throw cannot(thrown);
  } finally {
    await file.close();
  }
}

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST'
    ? 'there is such a file already'
    : thrown instanceof Error
      ? thrown.message
      : String(thrown);
