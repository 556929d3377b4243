/** Enumerations under the names that programs written for Gemini CLI use; values are what is stored and sent. */

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

export const EditorType = {
  VSCode: 'vscode',
  VSCodium: 'vscodium',
  Cursor: 'cursor',
  Windsurf: 'windsurf',
  Zed: 'zed',
  Vim: 'vim',
  Neovim: 'neovim',
  Emacs: 'emacs',
  Helix: 'hx',
  Nano: 'nano',
} as const;
export type EditorType = (typeof EditorType)[keyof typeof EditorType];

export const PolicyDecision = { ALLOW: 'allow', DENY: 'deny', ASK_USER: 'ask_user' } as const;
export type PolicyDecision = (typeof PolicyDecision)[keyof typeof PolicyDecision];
