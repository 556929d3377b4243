import type { FinishReason } from '../provider.js';

/** Google's words. Those that are not here, and those it will add, are `other`. */
const MEANINGS: { readonly [said: string]: FinishReason } = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'safety',
  RECITATION: 'safety',
  BLOCKLIST: 'safety',
  PROHIBITED_CONTENT: 'safety',
  SPII: 'safety',
  IMAGE_SAFETY: 'safety',
  IMAGE_PROHIBITED_CONTENT: 'safety',
  IMAGE_RECITATION: 'safety',
  MALFORMED_FUNCTION_CALL: 'malformed_call',
  UNEXPECTED_TOOL_CALL: 'malformed_call',
};

/** Gemini says `STOP` also where it wants functions called. */
export function finishReason(said: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, said) ? MEANINGS[said] : undefined;
  return meaning === 'stop' && hasCalls ? 'calls' : (meaning ?? 'other');
}
