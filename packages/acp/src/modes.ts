import type { SessionModeState } from '@agentclientprotocol/sdk';
import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import { badRequest } from './content/request-failure.js';

const MODES: { readonly [M in ApprovalMode]: { readonly name: string; readonly description: string } } = {
  plan: { name: 'Plan', description: 'Only reading; a plan is worked out and shown to you.' },
  manual: { name: 'Manual', description: 'What changes something is shown to you first.' },
  auto_edit: {
    name: 'Auto edit',
    description: 'Edits in the workspace go through; other changes are shown to you first.',
  },
  yolo: { name: 'YOLO', description: 'What no rule denies goes through.' },
  confirm_always: { name: 'Confirm always', description: 'Every call is shown to you first.' },
};

export const modeState = (mode: ApprovalMode): SessionModeState => ({
  currentModeId: mode,
  availableModes: APPROVAL_MODES.map((id) => ({ id, ...MODES[id] })),
});

export function readMode(modeId: string): ApprovalMode {
  const mode = APPROVAL_MODES.find((known) => known === modeId);
  if (!mode) throw badRequest(`there is no mode "${modeId}"; the modes are ${APPROVAL_MODES.join(', ')}`);
  return mode;
}
