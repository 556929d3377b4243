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
  owner_boot TEXT
) STRICT;
CREATE TABLE journal (
  session TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX journal_order ON journal (session, first_seq);
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
INSERT INTO sessions (id, workspace, mode, created_at, updated_at, seq, head_hash, owner_token, owner_pid, owner_started, owner_boot) VALUES ('old', '/home/me/project', 'manual', 1794847965099, 1794847966066, 24, '24fa12068c7994d10ed8beac0337da343bbcb879d66a76535b5538513a192164', 1, NULL, NULL, NULL);
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 0, 1, '[{"type":"session.opened","epoch":1,"at":1794847965114,"workspace":"/home/me/project","mode":"manual"},{"type":"policy.loaded","hash":"none","at":1794847965114}]', 'ddc24436770c6dc4cb5b002f30e4d7716f70361a114c0f8553453a30d7fa3fb4');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 2, 5, '[{"type":"turn.started","turn":1,"at":1794847965130,"start":"as_granted","attended":"somebody"},{"type":"call.requested","request":{"callId":"c1","wireId":"c1","name":"note","args":{"text":"a.txt"},"argsHash":"e8319913ac3986b48ec0a21d194f8d93fee2c0fc2d417bd8a8a0ee9d5c59dd2f","origin":"client","promptId":"","turn":1,"index":0,"revision":0,"at":1794847965130,"waitForPrevious":false,"calledAs":null}},{"type":"call.requested","request":{"callId":"c2","wireId":"c2","name":"note","args":{"text":"b.txt"},"argsHash":"5fbdbe434aa36879d0e1ae456384c5d998dc35577d970ca1cc84b4866443f6cb","origin":"client","promptId":"","turn":1,"index":1,"revision":0,"at":1794847965130,"waitForPrevious":false,"calledAs":null}},{"type":"turn.sealed","turn":1}]', 'd63de126f9ba21c66c0f32f31f05ef170f643973200cdaed7d1cf7c02f90d4f2');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 6, 9, '[{"type":"call.planned","callId":"c1","plan":{"title":"note a.txt","kind":"edit","resources":[{"kind":"fs.write","path":"/home/me/project/a.txt","scope":"file","place":"workspace","guarded":null}],"locations":[],"basis":[],"repeat":"unsafe","after":"conflicts","byDefault":null,"digest":"f9f991e0fbd6dbcf9bb6051802821b71d8022f8bccaa38b7c51a29dc948e191d"},"verdict":{"decision":"ask_user","rule":null,"reason":"It would change something, and no rule allows that.","matched":null,"because":"default"}},{"type":"call.asked","callId":"c1","question":{"digest":"f9f991e0fbd6dbcf9bb6051802821b71d8022f8bccaa38b7c51a29dc948e191d","confirmation":{"type":"info","title":"note a.txt","prompt":"note {\n  \"text\": \"a.txt\"\n}","urls":[]},"offers":[{"outcome":"proceed_once","grant":null},{"outcome":"proceed_always","grant":{"pattern":{"kind":"tool","tool":"note"},"scope":"session","text":"calls of note that touch nothing but files inside the workspace, for this session"}},{"outcome":"cancel","grant":null}],"askedAt":1794847965179}},{"type":"call.planned","callId":"c2","plan":{"title":"note b.txt","kind":"edit","resources":[{"kind":"fs.write","path":"/home/me/project/b.txt","scope":"file","place":"workspace","guarded":null}],"locations":[],"basis":[],"repeat":"unsafe","after":"conflicts","byDefault":null,"digest":"6ea807c55cf2374faa358a21c8e84b8055ee4214981b870eae9f7bfce9458b09"},"verdict":{"decision":"ask_user","rule":null,"reason":"It would change something, and no rule allows that.","matched":null,"because":"default"}},{"type":"call.asked","callId":"c2","question":{"digest":"6ea807c55cf2374faa358a21c8e84b8055ee4214981b870eae9f7bfce9458b09","confirmation":{"type":"info","title":"note b.txt","prompt":"note {\n  \"text\": \"b.txt\"\n}","urls":[]},"offers":[{"outcome":"proceed_once","grant":null},{"outcome":"proceed_always","grant":{"pattern":{"kind":"tool","tool":"note"},"scope":"session","text":"calls of note that touch nothing but files inside the workspace, for this session"}},{"outcome":"cancel","grant":null}],"askedAt":1794847965179}}]', '7418a23116fd0f7aed3862558bfeac0e3fb53409bef911b7d2c8ce65108b228d');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 10, 15, '[{"type":"call.answered","callId":"c1","answer":{"outcome":"proceed_always","by":"ada","at":1794847965720,"digest":"f9f991e0fbd6dbcf9bb6051802821b71d8022f8bccaa38b7c51a29dc948e191d","key":null,"feedback":null}},{"type":"grant.added","grant":{"id":"grant-a61b5c407aef","pattern":{"kind":"tool","tool":"note"},"scope":"session","scopeKey":"old","uses":null,"expiresAt":null,"by":"ada","at":1794847965720},"callId":"c1"},{"type":"call.granted","callId":"c1","permit":{"digest":"f9f991e0fbd6dbcf9bb6051802821b71d8022f8bccaa38b7c51a29dc948e191d","by":{"type":"person","who":"ada"}}},{"type":"call.granted","callId":"c2","permit":{"digest":"6ea807c55cf2374faa358a21c8e84b8055ee4214981b870eae9f7bfce9458b09","by":{"type":"grant","grantId":"grant-a61b5c407aef"}}},{"type":"call.started","callId":"c1","attempt":1,"epoch":1,"at":1794847965720},{"type":"call.started","callId":"c2","attempt":1,"epoch":1,"at":1794847965720}]', '38c1d9ad9467a79817d66a5f397ef8524418a1c5698ef55bc7e9da9f94ff9855');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 16, 18, '[{"type":"call.succeeded","callId":"c1","result":{"llmContent":"a.txt","returnDisplay":"a.txt"},"at":1794847965733},{"type":"call.succeeded","callId":"c2","result":{"llmContent":"b.txt","returnDisplay":"b.txt"},"at":1794847965733},{"type":"turn.ended","turn":1,"at":1794847965733}]', 'd9d4d9fa3d3923173c261ba0205111821546cf8b150020c0997b623c3af2dbb7');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 19, 21, '[{"type":"turn.started","turn":2,"at":1794847966062,"start":"as_granted","attended":"somebody"},{"type":"call.requested","request":{"callId":"c3","wireId":"c3","name":"memo","args":{"text":"c.txt"},"argsHash":"a5b5e3aeead719ee736ef2655e5ba10af5995c61fad853a306bf91025dab776f","origin":"client","promptId":"","turn":2,"index":0,"revision":0,"at":1794847966062,"waitForPrevious":false,"calledAs":null}},{"type":"turn.sealed","turn":2}]', 'a66a66c31b4b96d71e14ec2774c5f84cf485e5ef14a7742585aba5ffa434ca63');
INSERT INTO journal (session, first_seq, last_seq, body, hash) VALUES ('old', 22, 23, '[{"type":"call.planned","callId":"c3","plan":{"title":"memo c.txt","kind":"edit","resources":[{"kind":"fs.write","path":"/home/me/project/c.txt","scope":"file","place":"workspace","guarded":null}],"locations":[],"basis":[],"repeat":"unsafe","after":"conflicts","byDefault":null,"digest":"c5915d50b4f066c865fd6b62809b403835c0371c88a8a9fae680d5befedecb4c"},"verdict":{"decision":"ask_user","rule":null,"reason":"It would change something, and no rule allows that.","matched":null,"because":"default"}},{"type":"call.asked","callId":"c3","question":{"digest":"c5915d50b4f066c865fd6b62809b403835c0371c88a8a9fae680d5befedecb4c","confirmation":{"type":"info","title":"memo c.txt","prompt":"memo {\n  \"text\": \"c.txt\"\n}","urls":[]},"offers":[{"outcome":"proceed_once","grant":null},{"outcome":"proceed_always","grant":{"pattern":{"kind":"tool","tool":"memo"},"scope":"session","text":"calls of memo that touch nothing but files inside the workspace, for this session"}},{"outcome":"cancel","grant":null}],"askedAt":1794847966065}}]', '24fa12068c7994d10ed8beac0337da343bbcb879d66a76535b5538513a192164');
INSERT INTO approvals (place, session, call, body, answer) VALUES (1, 'old', 'c1', NULL, '{"digest":"f9f991e0fbd6dbcf9bb6051802821b71d8022f8bccaa38b7c51a29dc948e191d","outcome":"proceed_always","by":"ada","at":1794847965720,"key":null}');
INSERT INTO approvals (place, session, call, body, answer) VALUES (2, 'old', 'c3', '{"sessionId":"old","callId":"c3","tool":"memo","title":"memo c.txt","question":{"digest":"c5915d50b4f066c865fd6b62809b403835c0371c88a8a9fae680d5befedecb4c","confirmation":{"type":"info","title":"memo c.txt","prompt":"memo {\n  \"text\": \"c.txt\"\n}","urls":[]},"offers":[{"outcome":"proceed_once","grant":null},{"outcome":"proceed_always","grant":{"pattern":{"kind":"tool","tool":"memo"},"scope":"session","text":"calls of memo that touch nothing but files inside the workspace, for this session"}},{"outcome":"cancel","grant":null}],"askedAt":1794847966065},"verdict":{"decision":"ask_user","rule":null,"reason":"It would change something, and no rule allows that.","matched":null,"because":"default"}}', NULL);
INSERT INTO calls (place, session, body) VALUES (1, 'old', '{"sessionId":"old","callId":"c1","turn":1,"tool":"note","status":"success","requestedAt":1794847965130,"startedAt":1794847965720,"endedAt":1794847965733,"waitedMs":590,"decidedBy":"ada","decider":"person","failure":null}');
INSERT INTO calls (place, session, body) VALUES (2, 'old', '{"sessionId":"old","callId":"c2","turn":1,"tool":"note","status":"success","requestedAt":1794847965130,"startedAt":1794847965720,"endedAt":1794847965733,"waitedMs":0,"decidedBy":"grant-a61b5c407aef","decider":"grant","failure":null}');
INSERT INTO grants (id, scope, scope_key, uses, revoked, body) VALUES ('grant-a61b5c407aef', 'session', 'old', NULL, 0, '{"id":"grant-a61b5c407aef","pattern":{"kind":"tool","tool":"note"},"scope":"session","scopeKey":"old","uses":null,"expiresAt":null,"by":"ada","at":1794847965720}');
PRAGMA application_id = 1129531214;
PRAGMA user_version = 1;
