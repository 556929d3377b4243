import type { Journal } from '@countersign/engine';
import type { Ack, Command, Grant } from '@countersign/protocol';
import type { History } from '../world/history.js';
import type { Complain } from '../world/invariants.js';
import { WORKSPACE } from '../world/tool-specs.js';
import { checkAck } from './check-ack.js';

const RIVAL_SESSION = 'rival';

type Posted = {
  readonly inboxId: number;
  readonly command: Command;
  state: 'waiting' | 'withdrawn' | 'answered';
};

/** Another process on the same store: it leaves commands, and lives off the same grants. */
export class Outside {
  readonly #journal: Journal;
  readonly #history: History;
  readonly #complain: Complain;
  readonly #posted: Posted[] = [];
  #rival: { readonly token: number; seq: number } | null = null;
  #grantCount = 0;

  constructor(journal: Journal, history: History, complain: Complain) {
    this.#journal = journal;
    this.#history = history;
    this.#complain = complain;
  }

  async post(command: Command): Promise<void> {
    const inboxId = await this.#journal.post(this.#history.sessionId, command);
    this.#posted.push({ inboxId, command, state: 'waiting' });
  }

  waiting(): readonly Posted[] {
    return this.#posted.filter(({ state }) => state === 'waiting');
  }

  async withdraw(posted: Posted): Promise<void> {
    if (await this.#journal.withdraw(posted.inboxId)) posted.state = 'withdrawn';
  }

  /** Read what became of the commands that were left. */
  async collect(): Promise<void> {
    for (const posted of this.waiting()) {
      const ack: Ack | null = await this.#journal.outcomeOf(posted.inboxId);
      if (!ack) continue;
      posted.state = 'answered';
      checkAck(posted.command, ack, this.#history, this.#complain);
    }
    for (const { inboxId, state } of this.#posted) {
      const times = this.#history.consumed.get(inboxId) ?? 0;
      if (times > 1) this.#complain('acks', `command ${inboxId} was taken ${times} times`);
      if (times > 0 && state === 'withdrawn')
        this.#complain('acks', `command ${inboxId} was taken though withdrawn`);
    }
  }

  /** Take one use of a grant, if there is one left. */
  async takeUse(grantId: string): Promise<boolean> {
    const taken = await this.#append({ claims: [grantId] });
    const grant = this.#history.grants.get(grantId);
    if (taken && grant) grant.taken++;
    return taken;
  }

  async revoke(grantId: string): Promise<void> {
    await this.#append({ views: [{ type: 'grant.revoked', grantId }] });
    const grant = this.#history.grants.get(grantId);
    if (grant) grant.revoked = true;
  }

  /** Somebody there allows all edits in this workspace, some number of times. */
  async grantEdits(uses: number | null, at: number): Promise<void> {
    const grant: Grant = {
      id: `rival-grant-${++this.#grantCount}`,
      pattern: { kind: 'edits' },
      scope: 'project',
      scopeKey: WORKSPACE,
      uses,
      expiresAt: null,
      by: 'zoe',
      at,
    };
    await this.#append({ views: [{ type: 'grant.added', grant }] });
    this.#history.grants.set(grant.id, { grant, taken: 0, revoked: false });
  }

  async #append(
    change: Partial<Pick<Parameters<Journal['append']>[0], 'views' | 'claims'>>,
  ): Promise<boolean> {
    const rival = (this.#rival ??= await this.#ownRivalSession());
    const { views = [], claims = [] } = change;
    const appended = await this.#journal.append({
      sessionId: RIVAL_SESSION,
      expectedSeq: rival.seq,
      token: rival.token,
      events: [],
      views,
      claims,
      consumed: [],
      sync: 'normal',
    });
    return appended.ok;
  }

  async #ownRivalSession(): Promise<{ readonly token: number; seq: number }> {
    const owned = await this.#journal.own(RIVAL_SESSION);
    if (!owned.ok) throw new Error(`the rival could not begin: ${owned.failure.code}`);
    return { token: owned.token, seq: 0 };
  }
}
