import type { SessionClient } from '@countersign/client';
import { type OpenOptions, openSession, type SessionShell } from '@countersign/engine';
import type { Failure } from '@countersign/protocol';
import { RemoteClient } from './remote-client.js';

export type Attached =
  | {
      readonly ok: true;
      readonly client: SessionClient;
      /** null when another process owns the session. */
      readonly own: SessionShell | null;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Connects to a session wherever its owner is: as its owner if it has none, else as a client of its owner. */
export async function attachSession(options: OpenOptions): Promise<Attached> {
  const opened = await openSession(options);
  if (opened.ok) return { ok: true, client: opened.session, own: opened.session };
  if (opened.failure.code !== 'session_owned') return opened;
  return { ok: true, client: new RemoteClient(options.journal, options.sessionId), own: null };
}
