import type { Failure } from '@countersign/protocol';
import type { SessionClient } from './client.js';
import { RemoteClient } from './remote-client.js';
import type { OpenOptions } from './session/open-options.js';
import { openSession, type SessionShell } from './session/session-shell.js';

export type Attached =
  | {
      readonly ok: true;
      readonly client: SessionClient /** null when another process owns the session. */;
      readonly own: SessionShell | null;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Reach a session whoever has it: as its owner if it is free, else as a client of its owner. */
export async function attachSession(options: OpenOptions): Promise<Attached> {
  const opened = await openSession(options);
  if (opened.ok) return { ok: true, client: opened.session, own: opened.session };
  if (opened.failure.code !== 'session_owned') return opened;
  return { ok: true, client: new RemoteClient(options.journal, options.sessionId), own: null };
}
