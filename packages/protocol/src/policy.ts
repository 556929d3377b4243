export const APPROVAL_MODES = ['plan', 'manual', 'auto_edit', 'yolo', 'confirm_always'] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export type PolicyDecision = 'allow' | 'ask_user' | 'deny';

export const TIERS = ['default', 'extension', 'workspace', 'user', 'admin'] as const;
export type Tier = (typeof TIERS)[number];

/** Which line of policy spoke. */
export type RuleRef = {
  readonly name: string | null;
  readonly tier: Tier;
  readonly priority: number;
  readonly file: string;
  readonly line: number;
};

/** What policy says of one call, and why. */
export type Verdict = {
  readonly decision: PolicyDecision;
  /** null when no rule spoke and a built-in guard or default decided. */
  readonly rule: RuleRef | null;
  readonly reason: string;
  /** The part of the call that the rule matched, e.g. `file_path`. */
  readonly matched: string | null;
};
