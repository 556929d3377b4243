import type { ServerTarget } from '../settings/server-settings.js';

/** The status of one server. `reason` continues after "it". */
export type ServerStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  /** It was connected, is not now, and is being connected again. */
  | { readonly state: 'disconnected'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string };

/** The full report on a server: for `countersign mcp list` and `doctor`. */
export type ServerReport = {
  readonly name: string;
  readonly status: ServerStatus;
  readonly description: string;
  readonly trust: boolean;
  /** How it is reached; `detect`: by HTTP, in a way that is found out. Null if its settings cannot be read. */
  readonly transport: ServerTarget['transport'] | null;
  /** The names of its tools among all tools. */
  readonly tools: readonly string[];
  /** Why it was last not to be had, to continue after "it"; null if it always was. */
  readonly lastLoss: string | null;
  /** What of its settings and tools could not be used, in a sentence each. */
  readonly problems: readonly string[];
  /** The latest that it had to log, oldest first. */
  readonly log: readonly string[];
  /** The end of what it printed on stderr. */
  readonly stderr: string;
};

/** What a server has besides tools, by name and address. */
export type ServerOffers = { readonly prompts: readonly string[]; readonly resources: readonly string[] };

/** Why nothing can be sent to it, to continue after "cannot be used now"; null if it can. */
export function whyUnusable(status: ServerStatus): string | null {
  switch (status.state) {
    case 'connected':
      return null;
    case 'connecting':
      return 'it is being connected';
    case 'disconnected':
      return `it ${status.reason} and is being reconnected`;
    case 'failed':
      return `it ${status.reason}`;
  }
}
