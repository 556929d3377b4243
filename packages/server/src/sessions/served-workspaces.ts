import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Journal, SessionDeleted } from '@countersign/engine';
import { Refusal } from '../contract/problems.js';
import type { ServerPorts } from './ports.js';
import { requireSession } from './require-session.js';

/** The ids of the sessions in served folders. */
export type ServedSessions = Pick<ReadonlySet<string>, 'has'>;

/** The folders in which something may be done from here, with what lies beneath them, and those of demonstrations. */
export class ServedWorkspaces {
  readonly #served: readonly string[];
  readonly #journal: Journal;
  readonly #demonstrations: ServerPorts['demonstrations'];

  constructor({
    journal,
    workspaces,
    demonstrations,
  }: Pick<ServerPorts, 'journal' | 'workspaces' | 'demonstrations'>) {
    this.#served = workspaces;
    this.#journal = journal;
    this.#demonstrations = demonstrations;
  }

  /** The real path of a folder in which a session may be begun. Throws a `Refusal`. */
  async require(given: string | undefined): Promise<string> {
    const workspace = given ?? this.#served[0] ?? '';
    const refused = this.refusal(workspace);
    // Checked before anything is read: whether a path elsewhere exists is not revealed.
    if (!workspace.startsWith('/') || workspace.includes('\0')) throw refused;
    const real = await realpath(workspace).catch(() => null);
    if (real === null || !this.#isBeneath(real)) throw refused;
    if (!(await stat(real)).isDirectory()) throw refused;
    return real;
  }

  /** Whether a session that was begun in this folder is one of ours. */
  async has(workspace: string): Promise<boolean> {
    if (await this.#demonstrations.isOne(workspace)) return true;
    if (!this.#isBeneath(resolve('/', workspace))) return false;
    // A link to another place may have replaced it. Where nothing exists, nothing can be done.
    const real = await realpath(workspace).catch(() => null);
    return real === null || this.#isBeneath(real);
  }

  /**
   * Throws a `Refusal` for a session that never existed, or in a folder that is not served. Of one that was deleted, the
   * deletion can be looked up; everything else fails where its events are read.
   */
  async requireSession(sessionId: string): Promise<void> {
    const session = await this.#journal.session(sessionId);
    const known = session && session.seq > 0 ? session : (await this.deletions(sessionId)).at(-1);
    if (!known) throw new Refusal({ code: 'unknown_session', sessionId });
    if (!(await this.has(known.workspace))) throw this.refusal(known.workspace);
  }

  /** Deletions of sessions that worked in served folders, or of one session, oldest first. */
  async deletions(sessionId?: string): Promise<readonly SessionDeleted[]> {
    const deletions = (await this.#journal.deletions()).filter(
      (each) => sessionId === undefined || each.sessionId === sessionId,
    );
    if (sessionId !== undefined) return deletions;
    const served = await this.among(deletions.map(({ workspace }) => workspace));
    return deletions.filter(({ workspace }) => served.has(workspace));
  }

  /** Throws a `Refusal` if there is no such session. */
  async workspaceOf(sessionId: string): Promise<string> {
    return (await requireSession(this.#journal, sessionId)).workspace;
  }

  async sessions(): Promise<ServedSessions> {
    const all = await this.#journal.list();
    const workspaces = await this.among(all.map(({ workspace }) => workspace));
    const served = all.filter(({ workspace }) => workspaces.has(workspace));
    return new Set(served.map(({ sessionId }) => sessionId));
  }

  /** Those of these folders that are served; each is checked once. */
  async among(workspaces: readonly string[]): Promise<ReadonlySet<string>> {
    const served = new Set<string>();
    for (const each of new Set(workspaces)) if (await this.has(each)) served.add(each);
    return served;
  }

  refusal(workspace: string): Refusal {
    return new Refusal({ code: 'workspace_not_served', workspace, served: this.#served });
  }

  #isBeneath(path: string): boolean {
    return this.#served.some((root) => path === root || path.startsWith(root === '/' ? '/' : `${root}/`));
  }
}
