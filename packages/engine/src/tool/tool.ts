import type {
  AnswerPayload,
  ApprovalMode,
  AskedQuestion,
  Basis,
  Confirmation,
  DeclaredResource,
  GrantPattern,
  Json,
  JsonObject,
  Kind,
  Location,
  ModelContent,
  ModelFamily,
  Need,
  Outcome,
  PermitSource,
  Plan,
  ToolResult,
} from '@countersign/protocol';

export type Checked =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The result of a tool's `plan`: everything that the engine does not determine.
 *
 * @example
 * ```ts
 * const draft: PlanDraft = { title: 'Deploy to staging', resources: [{ kind: 'opaque', why: 'a server elsewhere' }], repeat: 'unsafe' };
 * ```
 */
export type PlanDraft = {
  readonly title: string;
  readonly resources: readonly DeclaredResource[];
  /** Files that a command line names and may touch, beside its resources: for rules with `paths` that deny or ask. */
  readonly named?: readonly Extract<DeclaredResource, { path: string }>[];
  readonly repeat: Plan['repeat'];
  readonly locations?: readonly Location[];
  readonly basis?: readonly Basis[];
  /** What a person would be shown, made only when the user is asked. Absent: a plain `info`. */
  readonly confirmation?: Confirmation;
  /** Called with the answer to this call's question, once, while it still waits. If it throws, the call fails. */
  readonly onAnswer?: (outcome: Outcome, payload: AnswerPayload) => void | Promise<void>;
  /** What rules may ask for by `toolAnnotations`. They are hints, and nothing but a rule makes anything of them. */
  readonly annotations?: JsonObject;
  /** The verdict where no rule of policy names the tool. Absent: it asks exactly if it has an effect. */
  readonly byDefault?: 'allow' | 'ask_user';
  /**
   * After an "always": the part of the offered grant that the tool agrees to; null for none beyond this call. What is
   * wider than the offer, which is what a person was shown, does not count.
   */
  readonly narrowGrant?: (outcome: Outcome, offered: GrantPattern) => GrantPattern | null;
  /** What a file of the basis holds once this call is done: later calls of the turn plan on it (`earlier`). */
  readonly leaves?: (path: string) => Uint8Array | null;
};

export type CallContext = {
  readonly sessionId: string;
  readonly callId: string;
  /** The workspace directory, with every symlink resolved. */
  readonly workspace: string;
  readonly signal: AbortSignal;
};

export type PlanContext = CallContext & {
  /** Whether this session has read the file, or written it, in a call that is over: who asks to change it has seen it. */
  readonly wasRead: (path: string) => boolean;
  /**
   * What the file will hold once the calls before this one in its turn are done; null if none of them changes it. A
   * plan that starts from this and not from the disk is one that can follow theirs.
   */
  readonly earlier: (path: string) => Promise<Uint8Array | null>;
  /** What the sandbox kept earlier runs of this very call from: it is planned again with this to be granted. */
  readonly needs: readonly Need[];
  /** In whose name a running call asks the user, for a title; omitted for calls that stand alone. */
  readonly asker?: string | undefined;
};

export type RunContext = CallContext & {
  /** A directory of this session's own, outside the workspace; created at its first use. */
  readonly sessionDirectory: string;
  /** A directory of this call's own beneath it, which no other call ever has. What lies in it can be read without a question. */
  readonly directory: string;
  readonly attempt: number;
  /** What was granted. `basis` must be checked before writing. */
  readonly plan: Plan;
  /** Who allowed it: a command without approval runs confined. */
  readonly permit: PermitSource;
  /** What a person answered to the questions of the confirmation; null where there were none. */
  readonly answers: Json;
  /** Change the approval mode of the session, as the tools of plan mode do once a person has agreed. */
  readonly setMode: (mode: ApprovalMode) => void;
  /**
   * Ask the person something while the call runs: the questions of `ask_user`, shown and answered as those are. Null if
   * they decline, or no user is attached. The question is withdrawn when the call ends.
   */
  readonly ask: (questions: readonly AskedQuestion[], options?: AskOptions) => Promise<Json>;
  /** Replace what people see of this call while it runs: the whole current display, not a delta. */
  readonly updateOutput: (text: string) => void;
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Show which process is doing the work. */
  readonly process: (pid: number) => void;
};

export type AskOptions = {
  /** In whose name the call asks, in our own words: `the MCP server NAME`. Omitted: in its own. */
  readonly asker?: string;
  /** Withdraws the question. */
  readonly signal?: AbortSignal;
};

/** A run of another process, which died before it recorded the end. */
export type ResumeContext = RunContext & {
  readonly startedAt: number;
  /** When it really ended, if that was before this process looked at it: how long it ran is counted until then. */
  readonly endedAt?: (at: number) => void;
};

/** A session that is being left. */
export type LeavingContext = Pick<RunContext, 'sessionId' | 'sessionDirectory'>;

/**
 * A tool is a plain object: what it is called, what it takes, what it would do
 * (`plan`, which only reads), and how it is done (`run`).
 */
export type Tool = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Kind;
  /** JSON Schema of the arguments, as shown to a model. */
  readonly inputSchema: JsonObject;
  readonly canUpdateOutput: boolean;
  /** The MCP server that it is a tool of; omitted for all others. */
  readonly mcpServer?: string;
  /** The description for models of a family; what it omits is as for all. Calls are checked the same for all. */
  readonly overrides?: (family: ModelFamily) => ToolWords | null;
  /** Other tool names understood for this one, with how to turn their arguments into ours. */
  readonly aliases?: readonly Alias[];
  /** Other argument names understood for this tool, e.g. `path` for `file_path`. */
  readonly renameArgs?: (args: JsonObject) => JsonObject;
  /** Put a person's own version of the file content into the arguments (edits). `original`: what they saw it replace; null for a new file. */
  readonly withContent?: (
    args: JsonObject,
    newContent: string,
    original: string | null,
  ) => JsonObject | Promise<JsonObject>;
  /** The longest a run may take; the engine's default if omitted. Waiting for a person does not count. */
  readonly timeoutMs?: number;
  /**
   * 'throws': where it stops early it throws, so that what it returns is its whole result, even after its signal.
   * Omitted: it may also return what it had so far, and a result after the signal counts as whole only if it says so
   * (`complete`) or the tool never looked at the signal.
   */
  readonly whenStopped?: 'throws';
  readonly check: (args: JsonObject) => Checked;
  readonly plan: (args: JsonObject, context: PlanContext) => PlanDraft | Promise<PlanDraft>;
  readonly run: (args: JsonObject, context: RunContext) => ToolResult | Promise<ToolResult>;
  /**
   * For plans that say `resumable`: find out what became of a run that another process began, and see it through. It
   * begins the work only if it is certain that it never began.
   */
  readonly resume?: (args: JsonObject, context: ResumeContext) => ToolResult | Promise<ToolResult>;
  /** A session is being left: end what was kept running for it. */
  readonly leave?: (context: LeavingContext) => Promise<void>;
};

/** The declaration of a tool for models. */
export type ToolWords = { readonly description?: string; readonly inputSchema?: JsonObject };

/** `when` decides whether this spelling means this tool, where one alias serves several (`edit`). */
export type Alias = { readonly name: string; readonly when?: (args: JsonObject) => boolean };

export type { ModelContent };
