import type { ApprovalMode } from '@countersign/protocol';

export const MODE_WORDS: { readonly [mode in ApprovalMode]: string } = {
  plan: 'plan: read only',
  manual: 'manual: ask as the rules say',
  auto_edit: 'auto edit: allow edits in the workspace',
  yolo: 'yolo: allow everything that no rule denies',
  confirm_always: 'confirm always: ask about everything',
};
