/** Enumerations under the names that programs written for Gemini CLI use; values are what is stored and sent. */

/**
 * How often to ask: `PLAN` allows no changes, `MANUAL` asks about everything that has an effect, `AUTO_EDIT` allows
 * edits of files in the workspace, `YOLO` allows everything that is not denied, `CONFIRM_ALWAYS` asks about every call.
 *
 * @example
 * ```ts
 * config.setApprovalMode(ApprovalMode.AUTO_EDIT);
 * ```
 */
export const ApprovalMode = {
  MANUAL: 'manual',
  DEFAULT: 'manual',
  AUTO_EDIT: 'auto_edit',
  YOLO: 'yolo',
  AUTO: 'yolo',
  PLAN: 'plan',
  CONFIRM_ALWAYS: 'confirm_always',
} as const;
export type ApprovalMode = (typeof ApprovalMode)[keyof typeof ApprovalMode];

/**
 * The answers that a person can give; `outcomes` of a question lists those on offer.
 *
 * @example
 * ```ts
 * await waiting.confirmationDetails.onConfirm(ToolConfirmationOutcome.ProceedOnce);
 * ```
 */
export const ToolConfirmationOutcome = {
  ProceedOnce: 'proceed_once',
  ProceedAlways: 'proceed_always',
  ProceedAlwaysTool: 'proceed_always_tool',
  ProceedAlwaysServer: 'proceed_always_server',
  ProceedAlwaysAndSave: 'proceed_always_and_save',
  ModifyWithEditor: 'modify_with_editor',
  Cancel: 'cancel',
} as const;
export type ToolConfirmationOutcome = (typeof ToolConfirmationOutcome)[keyof typeof ToolConfirmationOutcome];

/**
 * What a tool does. Policy decides by it where no rule names the tool.
 *
 * @example
 * ```ts
 * registry.registerTool({
 *   name: 'shout',
 *   displayName: 'Shout',
 *   description: 'Returns the text in capitals.',
 *   kind: Kind.Think,
 *   schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 *   canUpdateOutput: false,
 *   validateToolParams: () => null,
 *   shouldConfirmExecute: async () => false,
 *   execute: async ({ text }: { text: string }) => ({ llmContent: text.toUpperCase(), returnDisplay: text }),
 * });
 * ```
 */
export const Kind = {
  Read: 'read',
  Edit: 'edit',
  Delete: 'delete',
  Move: 'move',
  Search: 'search',
  Execute: 'execute',
  Think: 'think',
  Fetch: 'fetch',
  Communicate: 'communicate',
  Plan: 'plan',
  Other: 'other',
  ReadOnly: 'read',
  Write: 'edit',
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/**
 * The editors in which a person can change a proposal.
 *
 * @example
 * ```ts
 * const scheduler = new Scheduler({ toolRegistry: registry, getPreferredEditor: () => EditorType.Helix });
 * ```
 */
export const EditorType = {
  VSCode: 'vscode',
  VSCodium: 'vscodium',
  Cursor: 'cursor',
  Windsurf: 'windsurf',
  Antigravity: 'antigravity',
  Zed: 'zed',
  SublimeText: 'sublimetext',
  Lapce: 'lapce',
  Nova: 'nova',
  BBEdit: 'bbedit',
  Vim: 'vim',
  Neovim: 'neovim',
  Emacs: 'emacs',
  EmacsClient: 'emacsclient',
  Helix: 'hx',
  Micro: 'micro',
  Nano: 'nano',
} as const;
export type EditorType = (typeof EditorType)[keyof typeof EditorType];

/**
 * The decision of a rule.
 *
 * @example
 * ```ts
 * const rule: PolicyRule = { toolName: 'web_fetch', decision: PolicyDecision.DENY, denyMessage: 'No network here.' };
 * ```
 */
export const PolicyDecision = { ALLOW: 'allow', DENY: 'deny', ASK_USER: 'ask_user' } as const;
export type PolicyDecision = (typeof PolicyDecision)[keyof typeof PolicyDecision];

/**
 * The types of the events of a `Turn`.
 *
 * @example
 * ```ts
 * const isText = (event: ServerGeminiStreamEvent) => event.type === GeminiEventType.Content;
 * ```
 */
export const GeminiEventType = {
  Content: 'content',
  Thought: 'thought',
  ToolCallRequest: 'tool_call_request',
  ToolCallConfirmation: 'tool_call_confirmation',
  ToolCallResponse: 'tool_call_response',
  ChatCompressed: 'chat_compressed',
  UserCancelled: 'user_cancelled',
  Error: 'error',
  Finished: 'finished',
} as const;
export type GeminiEventType = (typeof GeminiEventType)[keyof typeof GeminiEventType];
