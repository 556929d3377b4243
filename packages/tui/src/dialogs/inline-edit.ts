import type { Json, JsonObject } from '@countersign/protocol';
import type { Pending } from './pending.js';

/** What can be changed on the spot: the command of a call that runs one, else its arguments. */
export const inlineText = ({ request, question }: Pending): string =>
  question.confirmation.type === 'exec' && typeof request.args['command'] === 'string'
    ? request.args['command']
    : JSON.stringify(request.args, null, 1);

export type Inline =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string };

export function readInline({ request, question }: Pending, text: string): Inline {
  if (question.confirmation.type === 'exec' && typeof request.args['command'] === 'string')
    return text.trim() === ''
      ? { ok: false, problem: 'An empty command cannot be run.' }
      : { ok: true, args: { ...request.args, command: text } };
  return readArguments(text);
}

/** Arguments of a call, typed as JSON. */
export function readArguments(text: string): Inline {
  try {
    const args = JSON.parse(text) as Json;
    return typeof args === 'object' && args !== null && !Array.isArray(args)
      ? { ok: true, args: args as JsonObject }
      : { ok: false, problem: 'The arguments must be an object: {…}.' };
  } catch (thrown) {
    return {
      ok: false,
      problem: `The arguments are not JSON: ${thrown instanceof Error ? thrown.message : ''}`,
    };
  }
}
