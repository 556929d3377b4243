import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import { MODE_WORDS } from './mode-words.js';

/** Every mode, for a `select`. */
export const ModeOptions = () =>
  APPROVAL_MODES.map((mode) => (
    <option key={mode} value={mode}>
      {MODE_WORDS[mode]}
    </option>
  ));

/** The mode that was chosen there; undefined for what is none. */
export const modeOf = (value: string): ApprovalMode | undefined =>
  APPROVAL_MODES.find((mode) => mode === value);
