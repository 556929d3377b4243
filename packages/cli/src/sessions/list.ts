import { visibleLine } from '@countersign/display';
import { withStore } from '../compose/known-store.js';
import { continueCommand } from '../compose/next-commands.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { type Io, printJson, say } from '../io/io.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { COLUMNS, oneRow, timeText } from './plain-rows.js';
import { type SessionSummary, statusText, summariesOf } from './session-summary.js';
import { spendingText } from './spending.js';

export async function listSessions(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    all: { type: 'boolean', short: 'a' },
    json: { type: 'boolean' },
    store: { type: 'string' },
    workspace: { type: 'string' },
  });
  expectNoMore('sessions list', positionals);
  const workspace = values.all ? null : await realWorkspace(values.workspace ?? io.cwd);
  return withStore(values.store, io, 'read', async (journal) => {
    const infos = (await journal?.list()) ?? [];
    const wanted = infos.filter((info) => workspace === null || info.workspace === workspace);
    const summaries = journal ? await summariesOf(journal, wanted) : [];
    if (values.json) for (const summary of summaries) printJson(io, summary);
    else if (summaries.length === 0) say(io, noneText(workspace, infos.length));
    else
      for (const each of summaries) {
        const command =
          journal && each.status === 'interrupted'
            ? await continueCommand({ journal, sessionId: each.id, store: values.store }, each.frontEnd, io)
            : null;
        io.stdout.write(summaryText(each, command, io, workspace === null));
      }
    return EXIT.ok;
  });
}

function noneText(workspace: string | null, elsewhere: number): string {
  if (workspace === null || elsewhere === 0) return 'There are no sessions yet.';
  return `There are no sessions in ${workspace} yet. To list the sessions of other folders: countersign sessions list --all`;
}

function summaryText(
  summary: SessionSummary,
  resume: string | null,
  { stdout }: Io,
  withFolder: boolean,
): string {
  const { id, updatedAt, mode, calls, spending, prompt, workspace } = summary;
  const columns = stdout.columns ?? COLUMNS;
  const details = [
    mode,
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    ...(spending ? [spendingText(spending)] : []),
  ];
  const rows = [
    visibleLine(`${id}  ${timeText(updatedAt)}  ${statusText(summary)}`),
    `  ${details.join(', ')}`,
    ...(withFolder && workspace !== '' ? [oneRow(workspace, columns, '  in ')] : []),
    ...(resume === null ? [] : [`  to resume: ${visibleLine(resume)}`]),
    ...(prompt === null ? [] : [oneRow(prompt, columns, '  > ')]),
  ];
  return `${rows.join('\n')}\n`;
}
