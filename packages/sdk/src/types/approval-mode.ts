import type { ApprovalMode } from './enums.js';

/** The modes, and the other spellings that programs written for Gemini CLI use. */
const SPELLINGS: { readonly [spelling: string]: ApprovalMode } = {
  plan: 'plan',
  manual: 'manual',
  default: 'manual',
  auto_edit: 'auto_edit',
  autoEdit: 'auto_edit',
  yolo: 'yolo',
  auto: 'yolo',
  confirm_always: 'confirm_always',
};

/**
 * An approval mode by its name, or as other programs spell it.
 *
 * @example
 * ```ts
 * const mode: ApprovalModeSpelling = 'autoEdit';
 * const config = new Config({ approvalMode: mode });
 * ```
 */
export type ApprovalModeSpelling = ApprovalMode | 'default' | 'autoEdit' | 'auto';

/** Throws for what is no mode: a mode that was misspelled must not become a milder one. */
export function approvalModeOf(spelling: ApprovalModeSpelling): ApprovalMode {
  const mode = Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling] : undefined;
  if (mode !== undefined) return mode;
  throw new Error(`"${spelling}" is not an approval mode. Modes: ${Object.keys(SPELLINGS).join(', ')}.`);
}
