import type { AgentEvent, ResponseInfo, Spending } from '@countersign/agent';
import { visible, visibleLine } from '@countersign/display';
import { explain } from '@countersign/protocol';
import { type Io, say } from '../io/io.js';
import { type Output, type RunEnding, waitingText } from './output.js';
import type { Tally } from './tally.js';

/**
 * Writes only the text of the model to stdout, and errors to stderr. In a terminal, stderr also shows
 * each call, and the cost at the end.
 */
export function textOutput(io: Io, tally: Tally): Output {
  const isWatched = io.stderr.isTTY === true;
  let isAtLineStart = true;
  const write = (text: string) => {
    if (text === '') return;
    io.stdout.write(io.stdout.isTTY ? visible(text) : withoutControls(text));
    isAtLineStart = text.endsWith('\n');
  };
  const endLine = () => {
    if (!isAtLineStart) write('\n');
  };
  const aside = (text: string) => {
    // If both go to one terminal, a message begins on its own line.
    if (isWatched && io.stdout.isTTY) endLine();
    say(io, text);
  };
  return {
    begin: () => {},
    onEvent: (event) => {
      if (event.type === 'content') return write(event.value);
      // Separates two responses of the model.
      if (event.type === 'finished') return endLine();
      const text = isWatched ? watchedLine(event) : problemLine(event);
      if (text !== null) aside(text);
    },
    warn: aside,
    end: (ending, { spent, session }) => {
      endLine();
      if (ending.type === 'waiting') aside(`countersign: ${waitingText(ending.calls)}`);
      if (isWatched) aside(billLine(ending, spent, session, tally));
    },
  };
}

/** What reads a pipe may print it in a terminal, so control characters of the model are made visible; other text stays. */
const withoutControls = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]/gu, (character) => visible(character));

function watchedLine(event: AgentEvent): string | null {
  if (event.type !== 'tool_call_response') return problemLine(event);
  const { status, title, durationMs } = event.value;
  if (status === 'success') return `  ✓ ${visibleLine(title)} (${inSeconds(durationMs)})`;
  return `  ${status === 'error' ? '✗' : '–'} ${visibleLine(title)}: ${whyNot(event.value)}`;
}

function problemLine(event: AgentEvent): string | null {
  switch (event.type) {
    case 'tool_call_response': {
      const { status, name } = event.value;
      return status === 'success' ? null : `countersign: ${name}: ${whyNot(event.value)}`;
    }
    case 'retry': {
      const { because, delayMs } = event.value;
      return `countersign: ${explain(because).message} Retrying in ${Math.ceil(delayMs / 1_000)} s.`;
    }
    case 'error':
      return `countersign: ${event.value.error.message}\n  ${event.value.error.hint}`;
    case 'notice':
      return `countersign: ${event.value}`;
    case 'user_cancelled':
      return 'countersign: cancelled.';
    default:
      return null;
  }
}

/** Only the first line, since the rest may be a whole output. */
function whyNot({ error, resultDisplay, errorType, status }: ResponseInfo): string {
  const display = typeof resultDisplay === 'string' ? resultDisplay.split('\n', 1)[0] : undefined;
  return error ?? display ?? errorType ?? status;
}

function billLine(ending: RunEnding, spent: Spending, session: Spending, tally: Tally): string {
  const calls = tally.toolCalls;
  const parts = [
    ...(ending.type === 'answered' ? [] : [ending.type]),
    tokensOf(spent),
    ...(session.requests > spent.requests ? [`session: ${tokensOf(session)}`] : []),
    ...(calls > 0 ? [calls === 1 ? '1 call' : `${calls} calls`] : []),
    inSeconds(tally.durationMs),
  ];
  return `  ${parts.join(' · ')}`;
}

function tokensOf({ inputTokens, outputTokens, cost, unmetered }: Spending): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  if (unmetered !== null && inputTokens + outputTokens === 0) return 'tokens and cost unknown';
  const price = cost === null || cost === 0 ? '' : `, $${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
  const unknown = unmetered === null ? '' : ', some usage unknown';
  return `${count(inputTokens)} tokens in, ${count(outputTokens)} out${price}${unknown}`;
}

const inSeconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);
