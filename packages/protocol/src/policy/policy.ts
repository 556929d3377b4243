import type { Span } from './command-line.js';

export const APPROVAL_MODES = ['plan', 'manual', 'auto_edit', 'yolo', 'confirm_always'] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/**
 * Where plans are written, in the workspace. Plan mode lets edits of the Markdown files that lie directly in it pass,
 * and no other change.
 */
export const PLANS_DIRECTORY = '.countersign/plans';

export type PolicyDecision = 'allow' | 'ask_user' | 'deny';

export const TIERS = ['default', 'extension', 'workspace', 'user', 'admin'] as const;
export type Tier = (typeof TIERS)[number];

/** The rule that matched. */
export type RuleRef = {
  readonly name: string | null;
  readonly tier: Tier;
  readonly priority: number;
  readonly file: string;
  readonly line: number;
};

/**
 * What decided. `guard`: a path outside the workspace or a protected one; `mode`: the approval mode;
 * `default`: no rule matched; `unattended`: it would ask and no user is attached; `person`: it would ask and a person
 * typed the call; `hook`: a hook wants it asked about, or allowed what would ask; `sandbox`: the sandbox blocked
 * a run.
 */
export type Because = 'rule' | 'guard' | 'mode' | 'default' | 'unattended' | 'person' | 'hook' | 'sandbox';

/** The decision of policy about one call, and why. */
export type Verdict = {
  readonly decision: PolicyDecision;
  /** null when no rule matched and a built-in guard, mode or default decided. */
  readonly rule: RuleRef | null;
  readonly reason: string;
  /** The part of the call that the rule or guard matched, e.g. `file_path`. */
  readonly matched: string | null;
  readonly because?: Because;
  /** Where in the command line the decisive command stands. */
  readonly span?: Span;
};
