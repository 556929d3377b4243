import type { ApprovalMode } from '@countersign/protocol';

export const MODE_WORDS: { readonly [mode in ApprovalMode]: string } = {
  plan: 'plan: look, change nothing',
  manual: 'manual: ask as the rules say',
  auto_edit: 'auto edit: edits in the workspace pass',
  yolo: 'yolo: everything passes that no rule denies',
  confirm_always: 'confirm always: ask about everything',
};
