import { durationText } from '@countersign/client';
import { columnsOf, visibleLine } from '@countersign/display';
import type { Tally } from '@countersign/engine';
import { countText, dollarsText } from '../sessions/spending.js';
import type { Statistics } from './statistics.js';

/** Limits of the text output; the JSON has all rows. */
const TOOLS_SHOWN = 15;
const DECISIONS_SHOWN = 8;
const RULES_SHOWN = 8;
const SESSIONS_SHOWN = 5;
const DAYS_SHOWN = 14;

/** Plain characters in 80 columns, readable without colours. */
export function statsText(statistics: Statistics): string {
  const { all, sessions, byTool, byDecider, byDecision, byRule, bySession, byDay, byModel } = statistics;
  const blocks = [
    overview(all, sessions),
    table('By tool', byTool, TOOLS_SHOWN),
    table('By deciding source', byDecider.map(inWords), byDecider.length),
    table('Deciding rules, grants, hooks and users', byDecision, DECISIONS_SHOWN),
    table('By rule', byRule.map(shortRule), RULES_SHOWN),
    table('By session', bySession, SESSIONS_SHOWN),
    perDay(byDay),
    models(byModel),
  ];
  return `${blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => rows.join('\n'))
    .join('\n\n')}\n`;
}

function overview(all: Tally, sessions: number): readonly string[] {
  const inSessions = `${countText(sessions)} ${sessions === 1 ? 'session' : 'sessions'}`;
  const waits = all.medianWaitMs === null ? '' : `, half of them at most ${durationText(all.medianWaitMs)}`;
  return [
    `${countText(all.calls)} ${all.calls === 1 ? 'call' : 'calls'} in ${inSessions}`,
    `  ${outcome('done', all.succeeded, all)}, ${outcome('failed', all.failed, all)}, ${outcome('cancelled', all.cancelled, all)}`,
    `  ${countText(all.waited)} waited for the user${waits}`,
  ];
}

const outcome = (word: string, count: number, { calls }: Tally): string =>
  `${word} ${countText(count)} (${percent(count, calls)})`;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${Math.round((part / whole) * 100)} %`;

const NAME_COLUMNS = 28;

function table(title: string, tallies: readonly Tally[], shown: number): readonly string[] {
  if (tallies.length === 0) return [];
  const head = `${cell(title, NAME_COLUMNS + 2)}${['calls', 'done', 'median', '95 of 100', 'waited'].map(right).join('')}`;
  // A title that is too long for its column has its own row.
  const heads =
    columnsOf(title) > NAME_COLUMNS ? [title, head.replace(/^.{30}/, ' '.repeat(NAME_COLUMNS + 2))] : [head];
  const rows = tallies
    .slice(0, shown)
    .map(
      (tally) =>
        `  ${cell(visibleLine(tally.name), NAME_COLUMNS)}${[
          countText(tally.calls),
          percent(tally.succeeded, tally.calls),
          timeOf(tally.medianMs),
          timeOf(tally.p95Ms),
          timeOf(tally.medianWaitMs),
        ]
          .map(right)
          .join('')}`,
    );
  const more = tallies.length - rows.length;
  return [...heads, ...rows, ...(more > 0 ? [`  and ${countText(more)} more`] : [])];
}

const timeOf = (ms: number | null): string => (ms === null ? '-' : durationText(ms));
const right = (text: string): string => text.padStart(9).padStart(10);

const DECIDERS: { readonly [kind: string]: string } = {
  policy: 'policy',
  grant: 'a grant',
  hook: 'a hook',
  person: 'a person',
  nothing: 'none, ended before a decision',
};
const inWords = (tally: Tally): Tally => ({ ...tally, name: DECIDERS[tally.name] ?? tally.name });

const VERDICTS: { readonly [decision: string]: string } = {
  allow: 'allows',
  ask_user: 'asks',
  deny: 'denies',
};
/** The name of the file is enough for people; the JSON has its path. */
const shortRule = (tally: Tally): Tally => ({
  ...tally,
  name: tally.name
    .replace(/^.*\//, '')
    .replace(/ (\w+)$/, (_, decision: string) => ` ${VERDICTS[decision] ?? decision}`),
});

const BAR_COLUMNS = 40;

function perDay(days: Statistics['byDay']): readonly string[] {
  const shown = days.slice(-DAYS_SHOWN);
  const most = Math.max(0, ...shown.map(({ calls }) => calls));
  if (most === 0) return [];
  const rows = shown.map(({ day, calls, succeeded }) => {
    const bar = `${'#'.repeat(barOf(succeeded, most))}${'x'.repeat(barOf(calls, most) - barOf(succeeded, most))}`;
    return `  ${day}  ${bar.padEnd(BAR_COLUMNS)}${right(countText(calls))}`;
  });
  return ['Calls per day (# done, x failed or cancelled)', ...rows];
}

/** At least one character for any count above 0. */
const barOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_COLUMNS));

function models(byModel: Statistics['byModel']): readonly string[] {
  if (byModel.length === 0) return [];
  const head = `${cell('By model', NAME_COLUMNS + 2)}${right('requests')}${['tokens in', 'out', 'cost'].map(wide).join('')}`;
  const rows = byModel.map(
    ({ model, requests, inputTokens, outputTokens, dollars }) =>
      `  ${cell(visibleLine(model), NAME_COLUMNS)}${right(countText(requests))}${[
        countText(inputTokens),
        countText(outputTokens),
        dollars === null ? 'unknown' : dollarsText(dollars),
      ]
        .map(wide)
        .join('')}`,
  );
  return [head, ...rows];
}

const wide = (text: string): string => text.padStart(13);

/** Cuts or pads a text to an exact width. */
function cell(text: string, columns: number): string {
  let fitting = text;
  if (columnsOf(text) > columns) {
    fitting = '';
    for (const character of text) {
      if (columnsOf(`${fitting}${character}…`) > columns) break;
      fitting += character;
    }
    fitting += '…';
  }
  return fitting + ' '.repeat(Math.max(0, columns - columnsOf(fitting)));
}
