import type { FunctionDeclaration } from '@countersign/engine';
import type {
  AnswerPayload,
  Confirmation,
  DeclaredResource,
  FailureCode,
  Json,
  JsonObject,
  Location,
  ModelContent,
  Offer,
} from '@countersign/protocol';
import type { Kind, ToolConfirmationOutcome } from '../enums.js';

/** What a tool hands back: `llmContent` for the model, `returnDisplay` for people. */
export type ToolResult = {
  readonly llmContent: ModelContent;
  readonly returnDisplay: Json;
  /** A failure that the tool reports instead of throwing. */
  readonly error?: { readonly message: string; readonly type?: FailureCode | (string & {}) };
};

/** What an answer may carry besides its outcome. */
export type ToolConfirmationPayload = AnswerPayload;

/** The result of an answer. */
export type AnswerResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly type: FailureCode };

/** Answers a question. Resolves when the answer has been taken, or refused with the reason; it never rejects. */
export type OnConfirm = (
  outcome: ToolConfirmationOutcome,
  payload?: ToolConfirmationPayload,
) => Promise<AnswerResult>;

type WithoutAnswer<T> = T extends Confirmation ? T : never;

/** What a tool's own `shouldConfirmExecute` returns: details of any kind; `onConfirm` receives the answer. */
export type ToolOwnConfirmation = Loosened<WithoutAnswer<Confirmation>> & {
  readonly onConfirm?: (
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ) => void | Promise<void>;
};

/** Tools may omit what the engine can fill in. */
type Loosened<T> = T extends { readonly type: infer K; readonly title: string }
  ? { readonly type: K; readonly title: string } & Partial<Omit<T, 'type' | 'title'>>
  : never;

/** What a waiting call shows and how to answer it. */
export type ToolCallConfirmationDetails = Confirmation & {
  readonly digest: string;
  readonly outcomes: readonly Offer[];
  /** Why it is asked, and by which rule. */
  readonly reason: string;
  readonly isModifying: boolean;
  /** Something the person should know, e.g. that no editor is configured. */
  readonly notice?: string;
  readonly onConfirm: OnConfirm;
};

/** A file that a call touches, and where in it. */
export type ToolLocation = Location;
/** The decision of policy about a call, as a tool receives it. */
export type ForcedDecision = 'allow' | 'deny' | 'ask_user';

/** What an "always" shall allow, where the tool wants less than was offered. */
export type PolicyUpdateOptions = {
  readonly toolName?: string;
  readonly mcpName?: string;
  readonly commandPrefix?: string | readonly string[];
  readonly argsPattern?: string;
};

/** A validated call of a class-style tool, ready to be asked about and run. */
export type ToolInvocation<TParams extends object = object, TResult extends ToolResult = ToolResult> = {
  readonly params: TParams;
  getDescription(): string;
  toolLocations(): readonly ToolLocation[];
  shouldConfirmExecute(
    signal: AbortSignal,
    forcedDecision?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false>;
  execute(
    signal: AbortSignal,
    updateOutput?: (text: string) => void,
    options?: ExecuteOptions,
  ): Promise<TResult>;
  getPolicyUpdateOptions?(outcome: ToolConfirmationOutcome): PolicyUpdateOptions | undefined;
};

/** What the engine needs of a class-style tool; `BaseDeclarativeTool` is the class to extend. */
export type DeclarativeTool<TParams extends object = object, TResult extends ToolResult = ToolResult> = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind: Kind;
  readonly parameterSchema: object;
  readonly isOutputMarkdown: boolean;
  readonly canUpdateOutput: boolean;
  /** The declaration of the tool for models. */
  readonly schema: FunctionDeclaration;
  getSchema(modelId?: string): FunctionDeclaration;
  /** What is wrong with the parameters, or null. */
  validateToolParams(params: TParams): string | null;
  /** A call that is ready to be asked about and run; throws with the reason if the parameters are wrong. */
  build(params: TParams): ToolInvocation<TParams, TResult>;
};

/** What a run of a class-style tool receives besides its parameters. */
export type ExecuteOptions = {
  readonly callId: string;
  readonly attempt: number;
  readonly progress: (done: number, total?: number, message?: string) => void;
};

/** A call as the adapter to the engine sees it. A plain tool may know its resources, and need not have an opinion about being asked. */
export type PlainInvocation = Omit<ToolInvocation, 'shouldConfirmExecute'> &
  Partial<Pick<ToolInvocation, 'shouldConfirmExecute'>> & {
    readonly resources?: () => readonly DeclaredResource[];
  };

/** The plain style: one object, functions that take the parameters each time. */
export type PlainTool<TParams extends object = JsonObject> = {
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly kind?: Kind;
  /** JSON Schema of the parameters, or a Gemini function declaration that holds one. */
  readonly schema?: JsonObject;
  readonly isOutputMarkdown?: boolean;
  readonly canUpdateOutput?: boolean;
  /** What is wrong with the parameters, or null. */
  validateToolParams?(params: TParams): string | null;
  getDescription?(params: TParams): string;
  toolLocations?(params: TParams): readonly ToolLocation[];
  resources?(params: TParams): readonly DeclaredResource[];
  shouldConfirmExecute?(
    params: TParams,
    signal: AbortSignal,
    forcedDecision?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false>;
  execute(params: TParams, signal: AbortSignal, updateOutput?: (text: string) => void): Promise<ToolResult>;
};
