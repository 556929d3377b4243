import type { SessionModeState } from '@agentclientprotocol/sdk';
import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import { badRequest } from './content/request-failure.js';

const MODES: { readonly [M in ApprovalMode]: { readonly name: string; readonly description: string } } = {
  plan: { name: 'Plan', description: 'Read-only; the agent writes a plan and shows it to you.' },
  manual: { name: 'Manual', description: 'You approve every change first.' },
  auto_edit: {
    name: 'Auto edit',
    description: 'Edits in the workspace are allowed; you approve other changes first.',
  },
  yolo: { name: 'YOLO', description: 'Every call that no rule denies is allowed.' },
  confirm_always: { name: 'Confirm always', description: 'You approve every call first.' },
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
