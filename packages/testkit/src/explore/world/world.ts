import type { ApprovalMode, Grant, HookAdvice, Outcome, StartRule } from '@countersign/protocol';
import type { Basis, PolicyName } from './truth.js';

/** A small world: what is asked for, and what may happen to it. Explored until there is nothing new. */
export type World = {
  readonly name: string;
  /** The first is handed in at once, the others at any later time, in order. */
  readonly batches: readonly Batch[];
  readonly mode: ApprovalMode;
  /** Grants that exist beforehand. */
  readonly grants: readonly Grant[];
  readonly runningMax: number;
  readonly attemptsMax: number;
  /** How many processes resume the session, one after another. */
  readonly epochsMax: number;
  /**
   * 'each': every input is written down before the next is looked at. 'many':
   * several may be decided upon first, as in a drain of the mailbox.
   */
  readonly commit: 'each' | 'many';
  /** The tools whose results AfterTool hooks look at. */
  readonly hooksAfter: readonly string[];
  readonly happens: Happenings;
};

export type Batch = {
  readonly calls: readonly WorldCall[];
  readonly start: StartRule;
  readonly attended: boolean;
  /** 'streamed': the calls come one by one while their model still speaks. */
  readonly comes: 'at once' | 'streamed';
};

export type WorldCall = {
  readonly id: string;
  readonly tool: string;
  readonly target: string;
  readonly waitForPrevious: boolean;
  /** The shell knows beforehand that it is wrong. */
  readonly broken: boolean;
};

/**
 * What may happen besides the ordinary: plans and runs that end well, answers
 * on offer, and everything that ought to change nothing (stale reports, wrong
 * digests, outcomes not on offer, second answers, unknown ids).
 */
export type Happenings = {
  readonly plans: readonly ('fails' | Exclude<Basis, 'first'>)[];
  /** What a fresh look finds when an answer arrives. */
  readonly looks: readonly ('fails' | 'skipped' | 'too late' | 'tool objects' | Exclude<Basis, 'first'>)[];
  /** 'blocked': the sandbox keeps it from something, and what it needs can be said; 'moved' if that leads elsewhere. */
  readonly runs: readonly ('fails' | 'fails for now' | 'blocked' | 'blocked, moved' | 'blocked, unplanned')[];
  /** How often the sandbox stops a call at most. */
  readonly blocksMax: number;
  /** What BeforeTool hooks say of a call when it is planned, besides nothing. */
  readonly advice: readonly HookAdvice['decision'][];
  /** Arguments that they replace those of a call with. */
  readonly hookRewrites: readonly string[];
  /** What AfterTool hooks make of a result, besides leaving it as it is. */
  readonly replacements: readonly ('good' | 'bad')[];
  /** Calls they ask for afterwards: 'think x', or 'broken x' for one that is known to be wrong. */
  readonly followUps: readonly string[];
  /** How many of them may follow on one another. */
  readonly followUpsMax: number;
  /** What people answer where it is on offer; declining is always among it. */
  readonly answers: readonly Outcome[];
  /** What an "always" is limited to. */
  readonly uses: readonly (number | null)[];
  /** Whether people also narrow a grant in ways that make no sense. */
  readonly badUses: boolean;
  /** Whether answers come with a key, without, or both. */
  readonly keys: readonly (string | null)[];
  /** Arguments that people replace those of a waiting call with, and ask again. */
  readonly edits: readonly string[];
  /** Arguments that people agree to instead of those shown. */
  readonly rewrites: readonly string[];
  readonly cancels: readonly ('call' | 'turn' | 'all')[];
  readonly modes: readonly ApprovalMode[];
  readonly policies: readonly PolicyName[];
  readonly revokes: readonly ('here' | 'elsewhere')[];
  /** What becomes of a conversation besides calls; decides nothing. */
  readonly talk: readonly ('said' | 'compressed' | 'masked')[];
  /** When plans arrive, in milliseconds. */
  readonly times: readonly number[];
  /** How often a call is planned at most: keeps a world finite in which plans change. */
  readonly plansMax: number;
};

const NOTHING_SPECIAL: Happenings = {
  plans: [],
  looks: [],
  runs: [],
  blocksMax: 1,
  advice: [],
  hookRewrites: [],
  replacements: [],
  followUps: [],
  followUpsMax: 1,
  answers: ['proceed_once'],
  uses: [null],
  badUses: false,
  keys: ['k1'],
  edits: [],
  rewrites: [],
  cancels: [],
  modes: [],
  policies: [],
  revokes: [],
  talk: [],
  times: [1_000],
  plansMax: 2,
};

type WorldParts = Partial<Omit<World, 'happens' | 'name' | 'batches'>> & {
  readonly happens?: Partial<Happenings>;
};

export function world(name: string, batches: readonly Batch[], parts: WorldParts = {}): World {
  return {
    name,
    batches,
    mode: 'manual',
    grants: [],
    runningMax: 2,
    attemptsMax: 2,
    epochsMax: 1,
    commit: 'each',
    hooksAfter: [],
    ...parts,
    happens: { ...NOTHING_SPECIAL, ...parts.happens },
  };
}

export function batch(calls: readonly WorldCall[], how: Partial<Omit<Batch, 'calls'>> = {}): Batch {
  return { calls, start: 'as_granted', attended: true, comes: 'at once', ...how };
}

/** `call('A write f')`: its id, its tool and its target. */
export function call(
  words: string,
  how: Partial<Pick<WorldCall, 'waitForPrevious' | 'broken'>> = {},
): WorldCall {
  const [id = '', tool = '', target = ''] = words.split(' ');
  return { id, tool, target, waitForPrevious: false, broken: false, ...how };
}

/** A standing permission for edits that exists beforehand. */
export function editsGrant(id: string, limits: Partial<Pick<Grant, 'uses' | 'expiresAt'>> = {}): Grant {
  const given = { id, scope: 'user', scopeKey: '', by: 'ann', at: 0 } as const;
  return { ...given, pattern: { kind: 'edits' }, uses: null, expiresAt: null, ...limits };
}
