/** Enumerations under the names that programs written for Gemini CLI use; values are what is stored and sent. */

/**
 * How eager to ask: `PLAN` lets nothing change, `MANUAL` asks about whatever has an effect, `AUTO_EDIT` lets edits of
 * files in the workspace through, `YOLO` everything that is not denied; with `CONFIRM_ALWAYS` every call asks.
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

/** What a person can answer; `outcomes` of a question says which of them are on offer. */
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

/** What a tool does, which is what policy goes by where no rule names it. */
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

/** The editors that can be opened on a proposal. */
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

/** What a rule says of a call. */
export const PolicyDecision = { ALLOW: 'allow', DENY: 'deny', ASK_USER: 'ask_user' } as const;
export type PolicyDecision = (typeof PolicyDecision)[keyof typeof PolicyDecision];

/** What a turn of the model tells of, as `{ type, value }`. */
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
