import type { JsonObject } from '@countersign/protocol';
import type { FileChange } from './changed-files.js';
import type { HookEvent } from './events.js';

export type HookSource = 'project' | 'user' | 'system' | 'extension';

/** One command to run on one event, as settings have it. */
export type HookDefinition = {
  readonly event: HookEvent;
  readonly source: HookSource;
  /** The settings file, and where in it: `hooks.BeforeTool[0].hooks[1]`. */
  readonly file: string;
  readonly path: string;
  /** null: whatever the event is about. */
  readonly matcher: Matcher | null;
  /** Whether its group wants to run one after the other. */
  readonly sequential: boolean;
  readonly name: string | null;
  readonly description: string | null;
  readonly command: string;
  readonly timeoutMs: number;
  readonly env: { readonly [name: string]: string };
  /** What a failure of the hook itself means: what it guards is refused, or it is as if there were no such hook. */
  readonly onFailure: 'deny' | 'ignore';
  /** 'json': plain text is invalid whatever the event. null: the event decides. */
  readonly output: 'json' | null;
};

export type Matcher = { readonly source: string; readonly test: (subject: string) => boolean };

/** Which hook it was, for records and for people. */
export type HookRef = Pick<HookDefinition, 'name' | 'source' | 'file' | 'path' | 'command'>;

/** The result of one run of one hook: plain data. */
export type HookRun = {
  readonly hook: HookRef;
  readonly durationMs: number;
  readonly outcome: HookOutcome;
  /** The beginning of what it printed to stderr, where hooks write their logs; empty if it wants that kept out of logs. */
  readonly log: string;
  /** It ended and left processes of its group running, which were ended too. */
  readonly leftRunning: boolean;
};

export type HookOutcome =
  | { readonly type: 'answered'; readonly answer: HookAnswer }
  | { readonly type: 'failed'; readonly failure: HookFailure; readonly onFailure: 'deny' | 'ignore' };

export type HookAnswer = {
  readonly decision: 'deny' | 'ask' | 'allow' | null;
  readonly reason: string | null;
  /** It wants the whole agent to stop (`continue: false`). */
  readonly stop: { readonly reason: string | null } | null;
  readonly systemMessage: string | null;
  readonly suppressOutput: boolean;
  /** The arguments that it wants changed, and only those. */
  readonly toolInput: JsonObject | null;
  readonly additionalContext: string | null;
  readonly tailCall: TailCall | null;
  /** The rest of `hookSpecificOutput`: what events other than those of tools take from it. */
  readonly other: JsonObject;
};

/** A call that is to follow, and whose result takes the place of the first one's. */
export type TailCall = { readonly name: string; readonly args: JsonObject };

export type HookFailure =
  | { readonly how: 'timed_out'; readonly afterMs: number }
  | { readonly how: 'cancelled' }
  /** A hook of a project that is not trusted in its current state; it was not run. */
  | { readonly how: 'not_trusted'; readonly changes: readonly FileChange[] }
  | { readonly how: 'exited'; readonly code: number; readonly text: string }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'not_started'; readonly message: string }
  | { readonly how: 'printed_too_much'; readonly bytesMax: number }
  | { readonly how: 'nonsense'; readonly problem: string };
