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
import type { Kind, ToolConfirmationOutcome } from './enums.js';

/**
 * The result of a tool: `llmContent` for the model, `returnDisplay` for people.
 *
 * @example
 * ```ts
 * const result: ToolResult = { llmContent: 'Three files match.', returnDisplay: '3 matches' };
 * ```
 */
export type ToolResult = {
  readonly llmContent: ModelContent;
  readonly returnDisplay: Json;
  /** A failure that the tool reports instead of throwing. */
  readonly error?:
    | { readonly message: string; readonly type?: FailureCode | (string & {}) | undefined }
    | undefined;
  /** Of a tool that returned after its signal: whether it had done everything (true) or stopped early (false). */
  readonly complete?: boolean;
};

/**
 * What an answer may carry besides its outcome.
 *
 * @example
 * ```ts
 * const payload: ToolConfirmationPayload = { feedback: 'Use the staging database.' };
 * ```
 */
export type ToolConfirmationPayload = AnswerPayload;

/**
 * The result of an answer: accepted, or refused with the reason.
 *
 * @example
 * ```ts
 * const result: AnswerResult = await scheduler.handleConfirmationResponse('a', ToolConfirmationOutcome.Cancel);
 * if (!result.ok) show(result.reason);
 * ```
 */
export type AnswerResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly type: FailureCode };

/**
 * Answers a question. Resolves when the answer is accepted, or refused with the reason; it never rejects.
 *
 * @example
 * ```ts
 * const onConfirm: OnConfirm = waiting.confirmationDetails.onConfirm;
 * await onConfirm(ToolConfirmationOutcome.Cancel, { feedback: 'Not in this folder.' });
 * ```
 */
export type OnConfirm = (
  outcome: ToolConfirmationOutcome,
  payload?: ToolConfirmationPayload,
) => Promise<AnswerResult>;

/**
 * The result of a tool's own `shouldConfirmExecute`: details of any kind; `onConfirm` receives the answer.
 *
 * @example
 * ```ts
 * const details: ToolOwnConfirmation = { type: 'info', title: 'Deploy', prompt: 'Deploy to staging?' };
 * ```
 */
export type ToolOwnConfirmation = Loosened<Confirmation> & {
  readonly onConfirm?: (
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ) => void | Promise<void>;
};

/** Tools may omit what the engine can fill in. */
type Loosened<T> = T extends { readonly type: infer K; readonly title: string }
  ? { readonly type: K; readonly title: string } & Partial<Omit<T, 'type' | 'title'>>
  : never;

/**
 * What a waiting call shows, and how to answer it.
 *
 * @example
 * ```ts
 * const details: ToolCallConfirmationDetails = waiting.confirmationDetails;
 * show(details.title, details.reason, details.outcomes);
 * ```
 */
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

/**
 * A file that a call touches, and the line.
 *
 * @example
 * ```ts
 * const location: ToolLocation = { path: '/home/me/project/a.ts', line: 12 };
 * ```
 */
export type ToolLocation = Location;
/**
 * The decision of policy about a call, as a class-style tool receives it.
 *
 * @example
 * ```ts
 * const mustAsk = (decision?: ForcedDecision) => decision === 'ask_user';
 * ```
 */
export type ForcedDecision = 'allow' | 'deny' | 'ask_user';

/**
 * What an "always" shall allow, where a tool wants less than was offered.
 *
 * @example
 * ```ts
 * const narrower: PolicyUpdateOptions = { commandPrefix: 'git status' };
 * ```
 */
export type PolicyUpdateOptions = {
  readonly toolName?: string | undefined;
  readonly mcpName?: string | undefined;
  readonly commandPrefix?: string | readonly string[] | undefined;
  readonly argsPattern?: string | undefined;
};

/**
 * A validated call of a class-style tool.
 *
 * @example
 * ```ts
 * const title = (invocation: ToolInvocation<{ path: string }, ToolResult>) => invocation.getDescription();
 * ```
 */
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

/**
 * What the engine needs of a class-style tool; `BaseDeclarativeTool` is the class to extend.
 *
 * @example
 * ```ts
 * const describe = (tool: DeclarativeTool<{ path: string }>) => tool.build({ path: 'a.txt' }).getDescription();
 * ```
 */
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

/**
 * What the `execute` method of a class-style tool receives besides its parameters.
 *
 * @example
 * ```ts
 * const attemptOf = (options?: ExecuteOptions) => options?.attempt ?? 1;
 * ```
 */
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

/**
 * A tool in the plain style: one object whose functions receive the parameters.
 *
 * @example
 * ```ts
 * const shout: PlainTool<{ text: string }> = { // or `Tool`, the same type
 *   name: 'shout',
 *   displayName: 'Shout',
 *   description: 'Returns the text in capitals.',
 *   schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 *   canUpdateOutput: false,
 *   validateToolParams: () => null,
 *   shouldConfirmExecute: async () => false,
 *   execute: async ({ text }) => ({ llmContent: text.toUpperCase(), returnDisplay: text.toUpperCase() }),
 * };
 * registry.registerTool(shout);
 * ```
 */
export type PlainTool<TParams extends object = JsonObject> = {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description: string;
  readonly kind?: Kind | undefined;
  /** JSON Schema of the parameters, or a Gemini function declaration that holds one. */
  readonly schema?: JsonObject | undefined;
  readonly isOutputMarkdown?: boolean | undefined;
  readonly canUpdateOutput?: boolean | undefined;
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
