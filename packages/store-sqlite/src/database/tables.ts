/** Marks a file as ours, in the header of every SQLite database ("CSGN"). */
export const APPLICATION_ID = 0x4353474e;

/** The format that this program writes and reads. A larger number in a file means a newer program. */
export const FORMAT = 3;
/** Files of this format and later ones are brought to the present one when they are opened. */
export const OLDEST_FORMAT = 1;

/** Finds records whose body was removed, for readers that must know that there are none. */
const REMOVED_INDEX = `CREATE INDEX journal_removed ON journal (session) WHERE body = '';`;

/**
 * One row per append in `journal`; all else can be rebuilt from it, except
 * `inbox`, whose rows are commands and not facts.
 *
 * `hash` covers the row before it, the session, the numbers of its events and a
 * commitment to its salt and body, so that a changed, missing or moved row breaks
 * the chain. Where the body was removed, `commitment` is there instead of the salt.
 * Rows with neither are of format 1, whose `hash` covers the body.
 */
export const TABLES = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  owner_token INTEGER NOT NULL,
  owner_pid INTEGER,
  owner_started TEXT,
  owner_boot TEXT,
  owner_front_end TEXT,
  owner_server TEXT,
  owner_model INTEGER,
  open_turns INTEGER
) STRICT;

CREATE TABLE journal (
  session TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  salt TEXT,
  commitment TEXT
) STRICT;
CREATE UNIQUE INDEX journal_order ON journal (session, first_seq);
${REMOVED_INDEX}

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  command TEXT NOT NULL,
  ack TEXT
) STRICT;
CREATE INDEX inbox_waiting ON inbox (session) WHERE ack IS NULL;

CREATE TABLE approvals (
  place INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  call TEXT NOT NULL,
  body TEXT,
  answer TEXT
) STRICT;
CREATE UNIQUE INDEX approvals_call ON approvals (session, call);
CREATE INDEX approvals_waiting ON approvals (session) WHERE answer IS NULL;

CREATE TABLE calls (
  place INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  scope_key TEXT NOT NULL,
  uses INTEGER,
  revoked INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX grants_scope ON grants (scope, scope_key);

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${FORMAT};
`;

/**
 * What brings a file from a format to the next one; what is in it stays as it is. Format 1 had neither salts nor kinds of
 * front ends, format 2 neither the ids of servers nor whether a model is at work nor the number of open turns (null: not counted).
 */
export const UPGRADES: { readonly [format: number]: string } = {
  1: `
ALTER TABLE sessions ADD COLUMN owner_front_end TEXT;
ALTER TABLE journal ADD COLUMN salt TEXT;
ALTER TABLE journal ADD COLUMN commitment TEXT;
${REMOVED_INDEX}
PRAGMA user_version = 2;`,
  2: `
ALTER TABLE sessions ADD COLUMN owner_server TEXT;
ALTER TABLE sessions ADD COLUMN owner_model INTEGER;
ALTER TABLE sessions ADD COLUMN open_turns INTEGER;
PRAGMA user_version = 3;`,
};
