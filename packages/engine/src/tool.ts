import type {
  AnswerPayload,
  Basis,
  Confirmation,
  DeclaredResource,
  Failure,
  GrantPattern,
  JsonObject,
  Kind,
  Location,
  ModelContent,
  Outcome,
  Plan,
  ToolResult,
} from '@countersign/protocol';

export type Checked =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What `plan` says: everything the engine does not work out by itself. */
export type PlanDraft = {
  readonly title: string;
  readonly resources: readonly DeclaredResource[];
  readonly repeat: 'safe' | 'unsafe';
  readonly locations?: readonly Location[];
  readonly basis?: readonly Basis[];
  /** What a person would be shown, made only when somebody is asked. Left out: a plain `info`. */
  readonly confirmation?: Confirmation;
  /** Told of the answer to this call's question, once, while it still waits. If it throws, the call fails. */
  readonly onAnswer?: (outcome: Outcome, payload: AnswerPayload) => void | Promise<void>;
  /** The verdict where no rule of policy names the tool. Left out: it asks exactly if it has an effect. */
  readonly byDefault?: 'allow' | 'ask_user';
  /**
   * After an "always": the part of the offered grant that the tool agrees to; null for none beyond this call. What is
   * wider than the offer, which is what a person was shown, does not count.
   */
  readonly narrowGrant?: (outcome: Outcome, offered: GrantPattern) => GrantPattern | null;
};

/** A plan or a run that could not be made, as data. Anything thrown instead becomes `plan_failed` or `unhandled_exception`. */
export class ToolFailure extends Error {
  constructor(
    readonly failure: Failure,
    /** What the failed run left to show, for the model and the person. */
    readonly output: string | null = null,
  ) {
    super(failure.code);
    this.name = 'ToolFailure';
  }
}

export type PlanContext = {
  readonly callId: string;
  /** The workspace directory, with every symlink resolved. */
  readonly workspace: string;
  readonly signal: AbortSignal;
};

export type RunContext = PlanContext & {
  readonly attempt: number;
  /** What was granted. `basis` must be checked by whoever writes. */
  readonly plan: Plan;
  /** Replace what people see of this call while it runs: the whole current display, not a delta. */
  readonly updateOutput: (text: string) => void;
  readonly progress: (done: number, total?: number, message?: string) => void;
};

/**
 * A tool is a plain object: what it is called, what it takes, what it would do
 * (`plan`, which only reads), and the doing (`run`).
 */
export type Tool = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Kind;
  /** JSON Schema of the arguments, as shown to a model. */
  readonly inputSchema: JsonObject;
  readonly canUpdateOutput: boolean;
  /** Other tool names understood for this one, with how to turn their arguments into ours. */
  readonly aliases?: readonly Alias[];
  /** Other argument names understood for this tool, e.g. `path` for `file_path`. */
  readonly renameArgs?: (args: JsonObject) => JsonObject;
  /** Put a person's own version of the file content into the arguments (edits). */
  readonly withContent?: (args: JsonObject, newContent: string) => JsonObject | Promise<JsonObject>;
  /** The longest a run may take; the engine's default if left out. Waiting for a person does not count. */
  readonly timeoutMs?: number;
  readonly check: (args: JsonObject) => Checked;
  readonly plan: (args: JsonObject, context: PlanContext) => PlanDraft | Promise<PlanDraft>;
  readonly run: (args: JsonObject, context: RunContext) => ToolResult | Promise<ToolResult>;
};

/** `when` decides whether this spelling means this tool, where one alias serves several (`edit`). */
export type Alias = { readonly name: string; readonly when?: (args: JsonObject) => boolean };

export type { ModelContent };
