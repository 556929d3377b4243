import type { Json, JsonObject } from '@countersign/protocol';
import { objectOf } from '../http/read-json.js';
import type { Usage } from '../provider.js';

/** A reported count of tokens: undefined if it is missing, and NaN if it is not a count, which makes every sum with it NaN. */
export const tokensIn = (value: Json | undefined): number | undefined => {
  if (value === undefined || value === null) return undefined;
  return isCount(value) ? value : Number.NaN;
};

/** Reported counts are of the answer so far, so the last of each is the one that applies. */
export const latestCounts = (before: JsonObject, reported: Json | undefined): JsonObject => ({
  ...before,
  ...Object.fromEntries(Object.entries(objectOf(reported) ?? {}).filter(([, value]) => value !== null)),
});

/** What a provider reported of one request, in our words: undefined where it is missing, NaN where it is not a count. */
export type ReportedCounts = {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
  readonly thoughts: number | undefined;
  readonly total: number | undefined;
};

/** Null: unknown. What a total counts beyond its parts is input, so that a usage is never less than its total. */
export function usageFrom({ input, output, cached, thoughts, total }: ReportedCounts): Usage | null {
  const known = (input ?? 0) + (output ?? 0);
  const isWhole = total !== undefined && isCount(total);
  if (!isWhole && (input === undefined || output === undefined)) return null;
  return countedUsage({
    inputTokens: (input ?? 0) + (isWhole ? Math.max(0, total - known) : 0),
    outputTokens: output ?? 0,
    cachedTokens: cached ?? 0,
    thoughtTokens: thoughts ?? 0,
  });
}

/** The usage of a request to a model; null if it says nothing. No request uses no tokens. */
export function countedUsage(usage: Usage | null): Usage | null {
  const sound = soundUsage(usage);
  return sound === null || sound.inputTokens + sound.outputTokens === 0 ? null : sound;
}

/** The usage if all its counts can be added up, else null. A part is never larger than its whole. */
export function soundUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedTokens, thoughtTokens } = usage;
  if (![inputTokens, outputTokens, cachedTokens, thoughtTokens].every(isCount)) return null;
  return {
    inputTokens: Math.max(inputTokens, cachedTokens),
    outputTokens: Math.max(outputTokens, thoughtTokens),
    cachedTokens,
    thoughtTokens,
  };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
