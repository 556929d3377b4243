import { MESSAGE_WORDS_MAX, type MessageRow } from '@countersign/engine/journal';
import type { TokenUsage } from '@countersign/protocol';
import { broken } from '../chain/chain.js';
import { checkedAppend } from '../chain/checked-append.js';
import { integer, text, textOrNull } from '../database/columns.js';
import { type Db, DbError, type Row, UnreadableText } from '../database/open-database.js';
import { fromKey, toKey } from '../database/row-key.js';

/**
 * What was said, out of stored facts, without building any of them here: what calls gave is most of a journal. A thousand
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
  return rows.map((row) => messageRow(db, row));
}

function messageRow(db: Db, row: Row): MessageRow {
  const session = text(row, 'session');
  if (row['readable'] === 0) throw broken(session, 'a record is not JSON');
  return {
    sessionId: fromKey(session),
    at: integer(row, 'at'),
    role: roleOf(row),
    words: saidIn(db, row, 'words'),
    model: saidIn(db, row, 'model'),
    usage: usageOf(row),
    ...(row['copied'] === 1 && { isCopied: true }),
  };
}

/**
 * A text out of a record. Half a character is an escape in the record and bytes that are not UTF-8 once SQLite has decoded
 * it; it is no damage where the record holds what was written. Releases before this one stored such texts.
 */
function saidIn(db: Db, row: Row, column: string): string | null {
  const value = row[column];
  if (!(value instanceof UnreadableText)) return textOrNull(row, column);
  const session = text(row, 'session');
  if (value.withoutHalves === null) throw broken(session, 'a message is not UTF-8');
  checkedAppend(db, session, integer(row, 'first_seq'));
  return value.withoutHalves;
}

function roleOf(row: Row): MessageRow['role'] {
  const role = text(row, 'role');
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
  SELECT substr(group_concat(p.value ->> '$.text', ' '), 1, ${MESSAGE_WORDS_MAX})
  FROM json_each(e.value, '$.message.parts') p WHERE json_type(p.value, '$.text') = 'text'
), '') END`;

const USAGE = `coalesce(e.value -> '$.message.usage', e.value -> '$.usage')`;

/** A record that is not JSON would end the whole query: it becomes a row that says so. */
const LIST = `CASE WHEN j.body = '' THEN NULL WHEN json_valid(j.body) THEN j.body ELSE '[{"type":"unreadable"}]' END`;

const SAID = `
SELECT j.session AS session, j.first_seq AS first_seq,
  e.value ->> '$.type' <> 'unreadable' AS readable,
  e.value ->> '$.forkedFrom' IS NOT NULL AS copied,
  coalesce(e.value ->> '$.message.at', e.value ->> '$.at') AS at,
  coalesce(e.value ->> '$.message.role', 'summary') AS role,
  e.value ->> '$.message.model' AS model,
  ${USAGE} ->> '$.inputTokens' AS input,
  ${USAGE} ->> '$.outputTokens' AS output,
  ${USAGE} ->> '$.cachedTokens' AS cached,
  ${USAGE} ->> '$.thoughtTokens' AS thought,
  ${WORDS} AS words
FROM sessions s JOIN journal j ON j.session = s.id, json_each(${LIST}) e
WHERE (e.value ->> '$.type' IN ('message.added', 'unreadable')
  OR (e.value ->> '$.type' = 'history.compressed' AND e.value ->> '$.summary' <> ''))`;

const IN_ORDER = 'ORDER BY s.rowid, j.first_seq, e.key';
