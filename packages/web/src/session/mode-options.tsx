import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import { Options } from '../parts/options.js';
import { MODE_WORDS } from './mode-words.js';

/** Every mode, for a `select`. */
export const ModeOptions = () => <Options of={APPROVAL_MODES.map((mode) => [mode, MODE_WORDS[mode]])} />;

/** The mode with this value; undefined if there is none. */
export const modeOf = (value: string): ApprovalMode | undefined =>
  APPROVAL_MODES.find((mode) => mode === value);
