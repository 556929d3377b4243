import type { Policy } from '@countersign/kernel';
import { policyFor, toolsFor } from '../compose/compose.js';
import { originsOf, type RuleOptions } from '../compose/rule-options.js';
import { type Io, say } from '../io/io.js';

/** The current rules for each workspace. Workspaces without rules of their own share one policy. */
export class CurrentRules {
  readonly #options: RuleOptions;
  readonly #io: Io;
  readonly #byWorkspace = new Map<string, Policy>();
  readonly #printed = new Set<string>();
  #shared: Policy | null = null;

  constructor(options: RuleOptions, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  async in(workspace: string): Promise<Policy> {
    const known = this.#byWorkspace.get(workspace);
    if (known) return known;
    const origins = await originsOf(this.#options, this.#io, workspace, (text) => this.#printOnce(text));
    const isShared = origins.ofWorkspace.length === 0;
    const { env } = this.#io;
    const policy =
      (isShared && this.#shared) ||
      (await policyFor(
        origins,
        (
          await toolsFor(origins, { workspace, store: undefined, env, toolModules: [] })
        ).tools,
      ));
    if (isShared) this.#shared = policy;
    this.#byWorkspace.set(workspace, policy);
    return policy;
  }

  /** Shared rules are read again for each workspace, and would repeat their notices. */
  #printOnce(text: string): void {
    if (!this.#printed.has(text)) say(this.#io, text);
    this.#printed.add(text);
  }
}
