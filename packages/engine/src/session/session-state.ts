import { emptySession, type Session } from '@countersign/kernel';
import type { ToolCall } from '@countersign/protocol';

/** The state of the session. Only the writer changes it; all others read. */
export class SessionState {
  session: Session;
  /** How many facts are written. */
  seq = 0;

  constructor(sessionId: string) {
    this.session = emptySession(sessionId);
  }

  /** The calls of the open turns as they are now, in request order; made on demand. */
  openCalls(): readonly ToolCall[] {
    const { turns, calls } = this.session;
    return turns.flatMap(({ ids }) => ids.flatMap((id) => calls.get(id) ?? []));
  }
}
