import { type DamagedSessions, type Journal, readEach } from '@countersign/engine';
import { withStore } from '../compose/known-store.js';
import type { ExitCode } from '../io/exit-codes.js';
import { CommandFailure, sayDamaged, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { type Statistics, statisticsOf } from './statistics.js';
import { statsText } from './stats-text.js';

const DAY_MS = 86_400_000;

/** `countersign stats`: results and durations of calls, who allowed them, and the cost of models. */
export async function stats(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('stats', args, {
    days: { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
    store: { type: 'string' },
  });
  expectNoMore('stats', positionals);
  const { session = null } = values;
  const since = values.days === undefined ? 0 : Date.now() - daysOf(values.days) * DAY_MS;
  return withStore(values.store, io, 'read', async (journal) => {
    if (session !== null && !(await journal?.session(session)))
      throw new CommandFailure({ code: 'unknown_session', sessionId: session });
    const { statistics, damaged } = journal
      ? await gathered(journal, session, since)
      : { statistics: statisticsOf([], []), damaged: NONE };
    const code = sayDamaged(io, damaged, 'not counted');
    if (values.json) printJson(io, statistics);
    else if (statistics.sessions === 0 && damaged.size === 0) say(io, 'There are no calls to count yet.');
    else io.stdout.write(statsText(statistics));
    return code;
  });
}

const NONE: DamagedSessions = new Map();

async function gathered(
  journal: Journal,
  session: string | null,
  since: number,
): Promise<{ readonly statistics: Statistics; readonly damaged: DamagedSessions }> {
  const ids = async () =>
    session === null ? (await journal.list()).map(({ sessionId }) => sessionId) : [session];
  const [calls, messages] = await Promise.all([
    readEach(
      ids,
      () => journal.calls(session ?? undefined),
      (sessionId) => journal.calls(sessionId),
    ),
    readEach(
      ids,
      () => journal.messages(session === null ? 'all' : [session]),
      (sessionId) => journal.messages([sessionId]),
    ),
  ]);
  const statistics = statisticsOf(
    calls.rows.filter(({ endedAt }) => endedAt >= since),
    messages.rows.filter(({ at }) => at >= since),
  );
  return { statistics, damaged: new Map([...calls.damaged, ...messages.damaged]) };
}

function daysOf(given: string): number {
  const days = Number(given);
  if (!(days > 0)) throw usage(`"${given}" is not a value of --days`, '--days with a number above 0');
  return days;
}
