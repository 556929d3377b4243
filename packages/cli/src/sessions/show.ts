import { readFacts } from '@countersign/attach';
import { Transcript, type TranscriptItem } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import { oneId, withSession } from '../compose/known-store.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { type Io, printJson } from '../io/io.js';
import { readOptions } from '../options/options.js';
import { itemText, type Shown, speakerOf } from './item-text.js';
import { COLUMNS, timeText } from './plain-rows.js';
import { type SessionSummary, statusText, summariesOf } from './session-summary.js';
import { spendingText } from './spending.js';

/** Prints the conversation with its calls, their results, who decided, and why. */
export async function showSession(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    json: { type: 'boolean' },
    whole: { type: 'boolean' },
    store: { type: 'string' },
  });
  return withSession(values.store, oneId('sessions show', positionals), io, 'read', async (journal, info) => {
    const [summary] = await summariesOf(journal, [info]);
    const transcript = new Transcript();
    for await (const { event, call } of readFacts(journal, info.sessionId)) transcript.observe(event, call);
    if (values.json) {
      printJson(io, { type: 'session', ...summary });
      for (const { kind, ...item } of transcript.items) printJson(io, { type: kind, ...item });
      return EXIT.ok;
    }
    const shown: Shown = {
      columns: io.stdout.columns ?? COLUMNS,
      extent: values.whole ? 'whole' : 'excerpts',
    };
    const head = summary ? headOf(summary) : [];
    const rows = itemRows(transcript.items, shown);
    const gap = rows[0] === '' ? [] : [''];
    io.stdout.write(`${[...head, ...gap, ...rows].join('\n')}\n`);
    return EXIT.ok;
  });
}

function headOf(summary: SessionSummary): readonly string[] {
  const { id, workspace, createdAt, updatedAt, mode, calls, openCalls, spending } = summary;
  const ended = calls - openCalls;
  return [
    `Session ${id} in ${workspace || '(no folder yet)'}`,
    `  ${timeText(createdAt)} to ${timeText(updatedAt)}, ${statusText(summary)}, mode ${mode}`,
    `  ${ended} ${ended === 1 ? 'call has' : 'calls have'} ended${openCalls === 0 ? '' : `, ${openCalls} ${openCalls === 1 ? 'is' : 'are'} open`}${spending ? `; ${spendingText(spending)}` : ''}`,
  ].map(visibleLine);
}

function itemRows(items: readonly TranscriptItem[], shown: Shown): readonly string[] {
  const rows: string[] = [];
  let speaker: string | null = null;
  for (const item of items) {
    rows.push(...itemText(item, shown, speaker));
    speaker = speakerOf(item) ?? speaker;
  }
  return rows;
}
