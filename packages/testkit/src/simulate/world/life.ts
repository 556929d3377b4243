import {
  type Append,
  type CallHooks,
  type Journal,
  openSession,
  type SessionShell,
  Toolbox,
} from '@countersign/engine';
import type { Failure } from '@countersign/protocol';
import { FailingJournal, type JournalSurroundings } from './failing-journal.js';
import type { Complain } from './invariants.js';
import type { Process } from './process.js';
import type { Profile } from './profile.js';
import type { Sabotage } from './sabotage.js';
import { type HookSurroundings, simulatedHooks } from './simulated-hooks.js';
import { simulatedTool, type ToolSurroundings } from './simulated-tools.js';
import { classify, SPECS, type Spec, simulatedPolicy, WORKSPACE } from './tool-specs.js';
import type { TimeShare } from './virtual-time.js';

export type LifeStatus = 'unopened' | 'opening' | 'alive' | 'closing' | 'lost' | 'over' | 'dead';

export type LifeSurroundings = Omit<ToolSurroundings, 'process' | 'planIsStuck'> &
  Pick<HookSurroundings, 'meddling' | 'argsFor'> &
  Omit<JournalSurroundings, 'life' | 'isDead' | 'wrote'> & {
    readonly sessionId: string;
    readonly profile: Profile;
    readonly time: TimeShare;
    readonly sabotage: Sabotage;
    readonly complain: Complain;
    readonly wrote: (life: Life, append: Append) => void;
  };

/** One process that works on the session: its handle on the store, its tools, its clock, and the session shell. */
export class Life implements Process {
  readonly id: number;
  readonly time: TimeShare;
  readonly tools: Toolbox;
  readonly journal: FailingJournal;
  session: SessionShell | null = null;
  /** The first fact that its feed holds. */
  feedFrom = Number.POSITIVE_INFINITY;
  /** Plans that will never settle. */
  plansStuck = 0;
  #state: LifeStatus = 'unopened';
  #wasLost = false;
  #epoch = 0;
  readonly #around: LifeSurroundings;

  constructor(id: number, handle: Journal, around: LifeSurroundings) {
    this.id = id;
    this.time = around.time;
    this.#around = around;
    this.tools = new Toolbox();
    for (const spec of SPECS) this.define(spec);
    this.journal = new FailingJournal(around.sabotage.journal(handle), {
      ...around,
      life: id,
      isDead: () => this.#state === 'dead',
      wrote: (append, from) => {
        if (from === 'former owner')
          around.complain('ownership', `life ${id} wrote after it had lost the session`);
        around.wrote(this, append);
      },
    });
  }

  get state(): LifeStatus {
    return this.#state;
  }

  status(): 'alive' | 'lost' | 'dead' {
    return this.#state === 'dead' ? 'dead' : this.#wasLost ? 'lost' : 'alive';
  }

  epoch(): number {
    return this.#epoch;
  }

  /** It wrote down that it took the session up. */
  tookUp(epoch: number, seq: number): void {
    this.#epoch = epoch;
    this.feedFrom = seq;
  }

  /** Give a tool its definition of the moment. */
  define(spec: Spec): void {
    const planIsStuck = () => {
      this.plansStuck++;
    };
    const tool = simulatedTool(spec, { ...this.#around, process: this, planIsStuck });
    this.tools.register(this.#around.sabotage.tool(tool));
  }

  async open(): Promise<Failure | null> {
    this.#state = 'opening';
    const { sessionId, profile, time, complain, note } = this.#around;
    const opened = await openSession({
      journal: this.journal,
      sessionId,
      workspace: WORKSPACE,
      // Nothing is ever put there, and nobody waits for it to be removed.
      outputs: '/outputs',
      // Later lives resume what there is.
      ...(this.id === 1 && { mode: profile.mode }),
      tools: this.tools,
      policy: simulatedPolicy(),
      classify,
      ...(profile.trouble.hooks && { hooks: this.#hooks() }),
      limits: profile.limits,
      ...time,
      onTrouble: (failure) => {
        if (failure.code === 'internal') complain('faults', failure.message);
        note(`life ${this.id} reports trouble: ${failure.code}`);
      },
    });
    if (this.#isDead()) return new Promise(() => {});
    if (opened.ok) this.session = opened.session;
    if (this.#state === 'opening') this.#state = opened.ok ? 'alive' : 'unopened';
    return opened.ok ? null : opened.failure;
  }

  #hooks(): CallHooks {
    const { world, profile, sabotage } = this.#around;
    const { listensTo } = profile;
    return sabotage.hooks(simulatedHooks({ ...this.#around, process: this, ledger: world.hooks, listensTo }));
  }

  /** kill -9: nothing of it happens any more. */
  async die(): Promise<void> {
    this.#state = 'dead';
    this.time.drop();
    await this.journal.close();
  }

  async lose(): Promise<void> {
    this.#state = 'lost';
    this.#wasLost = true;
    await this.journal.loseOwnership(this.#around.sessionId);
  }

  async dispose(): Promise<void> {
    if (this.#state === 'alive') this.#state = 'closing';
    await this.session?.dispose();
    if (!this.#isDead()) this.#state = 'over';
  }

  /** The session may have ended by itself, for which there is one good reason: its owner was replaced. */
  notice(): void {
    const ended = this.session?.ended;
    if (!ended || (this.#state !== 'alive' && this.#state !== 'lost')) return;
    this.#state = 'over';
    if (ended.code === 'internal') this.#around.complain('faults', ended.message);
    else if (!this.#wasLost) this.#around.complain('ownership', `life ${this.id} gave up: ${ended.code}`);
  }

  #isDead(): boolean {
    return this.#state === 'dead';
  }
}
