import type { HookReport } from '@countersign/hooks';
import type { ModelRequest } from '@countersign/models';
import { listOf, saidIn } from './hook-answers.js';

type ToolChoice = NonNullable<ModelRequest['toolChoice']>;

/** Which tools hooks leave to the model: `NONE` of one counts for all, otherwise what any of them names. */
export function chosenTools(report: HookReport): ToolChoice | null {
  const requested = saidIn(report, 'toolConfig');
  if (requested.length === 0) return null;
  const modes = requested.map(({ mode }) => (typeof mode === 'string' ? mode.toUpperCase() : 'AUTO'));
  if (modes.includes('NONE')) return { mode: 'none' };
  const names = requested.flatMap(({ allowedFunctionNames }) => listOf(allowedFunctionNames));
  const allowed = [...new Set(names.filter((name) => typeof name === 'string'))].sort();
  const mode = modes.includes('ANY') ? 'any' : 'auto';
  return { mode, ...(allowed.length > 0 && { allowed }) };
}
