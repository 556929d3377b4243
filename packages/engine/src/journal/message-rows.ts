import type { Event, MessagePart, TokenUsage } from '@countersign/protocol';
import { integer, text, textOrNull } from './columns.js';
import type { MessageRow } from './journal.js';
import { type Db, DbError, type Row } from './open-database.js';
import { fromKey, toKey } from './row-key.js';

/** As much of a prompt as a list has room for, and a little more. */
const WORDS_CHARS_MAX = 200;

/** What a fact adds to what was said; null for one that adds nothing. */
export function messageRow(sessionId: string, event: Event): MessageRow | null {
  if (event.type === 'history.compressed') {
    const { at, usage } = event;
    return { sessionId, at, role: 'summary', words: null, model: null, usage };
  }
  if (event.type !== 'message.added') return null;
  const { message } = event;
  const { at, role } = message;
  return message.role === 'user'
    ? { sessionId, at, role, words: firstWords(message.parts), model: null, usage: null }
    : { sessionId, at, role, words: null, model: message.model, usage: message.usage };
}

function firstWords(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  return Array.from(texts.join(' ')).slice(0, WORDS_CHARS_MAX).join('');
}

/**
 * The same out of stored facts, without building any of them here: what calls gave is most of a journal. A thousand
 * sessions in 120 MB take SQLite about 0.4 s.
 */
export function messageRows(db: Db, sessionIds: readonly string[] | 'all'): readonly MessageRow[] {
  const rows =
    sessionIds === 'all'
      ? db.all(`${SAID} ${IN_ORDER}`)
      : db.all(
          `${SAID} AND s.id IN (SELECT value FROM json_each(?)) ${IN_ORDER}`,
          JSON.stringify(sessionIds.map(toKey)),
        );
  return rows.map((row) => ({
    sessionId: fromKey(text(row, 'session')),
    at: integer(row, 'at'),
    role: roleOf(row),
    words: textOrNull(row, 'words'),
    model: textOrNull(row, 'model'),
    usage: usageOf(row),
  }));
}

function roleOf(row: Row): MessageRow['role'] {
  const role = row['role'];
  if (role === 'user' || role === 'model' || role === 'summary') return role;
  throw new DbError('corrupt', `a message has the role "${role}", which does not exist`);
}

function usageOf(row: Row): TokenUsage | null {
  if (row['input'] === null) return null;
  return {
    inputTokens: integer(row, 'input'),
    outputTokens: integer(row, 'output'),
    cachedTokens: integer(row, 'cached'),
    thoughtTokens: integer(row, 'thought'),
  };
}

const WORDS = `
CASE WHEN e.value ->> '$.message.role' = 'user' THEN coalesce((
  SELECT substr(group_concat(p.value ->> '$.text', ' '), 1, ${WORDS_CHARS_MAX})
  FROM json_each(e.value, '$.message.parts') p WHERE json_type(p.value, '$.text') = 'text'
), '') END`;

const USAGE = `coalesce(e.value -> '$.message.usage', e.value -> '$.usage')`;

const SAID = `
SELECT j.session AS session,
  coalesce(e.value ->> '$.message.at', e.value ->> '$.at') AS at,
  coalesce(e.value ->> '$.message.role', 'summary') AS role,
  e.value ->> '$.message.model' AS model,
  ${USAGE} ->> '$.inputTokens' AS input,
  ${USAGE} ->> '$.outputTokens' AS output,
  ${USAGE} ->> '$.cachedTokens' AS cached,
  ${USAGE} ->> '$.thoughtTokens' AS thought,
  ${WORDS} AS words
FROM sessions s JOIN journal j ON j.session = s.id, json_each(j.body) e
WHERE e.value ->> '$.type' IN ('message.added', 'history.compressed')`;

const IN_ORDER = 'ORDER BY s.rowid, j.first_seq, e.key';
