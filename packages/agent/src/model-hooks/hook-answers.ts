import type { HookReport } from '@countersign/hooks';
import type { Json, JsonObject } from '@countersign/protocol';

/** What hooks have in one field of `hookSpecificOutput`, in the order in which they ran. */
export const saidIn = ({ runs }: HookReport, field: string): readonly JsonObject[] =>
  runs.flatMap(({ outcome }) => {
    const value = outcome.type === 'answered' ? outcome.answer.other[field] : undefined;
    return isObject(value) ? [value] : [];
  });

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
