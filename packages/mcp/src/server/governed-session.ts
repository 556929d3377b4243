import type { SessionEvents } from '@countersign/client';
import type { SessionShell, Toolbox } from '@countersign/engine';
import type { Policy } from '@countersign/kernel';

/** A session that calls of another agent run through, opened as behind every other door. */
export type GovernedSession = {
  readonly session: SessionShell;
  readonly tools: Toolbox;
  readonly policy: Policy;
  /** 'nobody': what would ask is denied. */
  readonly attended: 'somebody' | 'nobody';
  readonly events: SessionEvents;
  /** The tools are not those that they were: servers of others come and go. */
  readonly onToolsChanged: (changed: () => void) => () => void;
  /** Running calls are cancelled; pending questions stay open for the process that resumes the session. */
  readonly leave: () => Promise<void>;
};

/** Opens a session when it is first wanted: a client that only looks whether there is a server leaves no trace. */
export class LazySession {
  readonly #open: () => Promise<GovernedSession>;
  #opening: Promise<GovernedSession> | null = null;

  constructor(open: () => Promise<GovernedSession>) {
    this.#open = open;
  }

  readonly get = (): Promise<GovernedSession> => {
    this.#opening ??= this.#open();
    return this.#opening;
  };

  /** If it was ever there. */
  async leave(): Promise<void> {
    const governed = await this.#opening?.catch(() => null);
    await governed?.leave();
  }
}
