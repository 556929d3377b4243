import type { Usage } from './provider.js';

/** US dollars per million tokens. `cached` is null where we do not know it: then it counts as other input. */
export type Price = { readonly input: number; readonly cached: number | null; readonly output: number };

export type ModelFacts = {
  readonly contextTokens: number;
  readonly outputTokensMax: number;
  /** Null: not known to us, which is not the same as free. */
  readonly price: Price | null;
  /** What a request with more input than this costs, all of it. */
  readonly long: { readonly aboveTokens: number; readonly price: Price } | null;
};

const MILLION = 1_000_000;
/** What is common among models that are not listed here: less is compressed too early, more is rejected. */
const UNKNOWN: ModelFacts = { contextTokens: 128_000, outputTokensMax: 8_192, price: null, long: null };

const price = (input: number, cached: number | null, output: number): Price => ({ input, cached, output });
const gemini = (base: Price | null, above200k: Price | null = null): ModelFacts => ({
  contextTokens: 1_048_576,
  outputTokensMax: 65_536,
  price: base,
  long: above200k && { aboveTokens: 200_000, price: above200k },
});
const facts = (
  contextTokens: number,
  outputTokensMax: number,
  base: Price | null,
  long: ModelFacts['long'] = null,
): ModelFacts => ({ contextTokens, outputTokensMax, price: base, long });

/**
 * Limits and list prices (standard tier, text) as their makers published them until November 2026. The first pattern
 * that fits counts. They go stale, so whatever is made of them is an estimate.
 */
const KNOWN: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^gemini-3\.[678]-flash(?!-lite)/, gemini(price(0.75, 0.075, 3.75))],
  [/^gemini-3\.5-flash-lite/, gemini(price(0.3, null, 2.5))],
  [/^gemini-3\.5-flash/, gemini(price(1.5, 0.15, 9))],
  [/^gemini-3(\.1)?-pro/, gemini(price(2, 0.2, 12), price(4, 0.4, 18))],
  [/^gemini-3-flash/, gemini(price(0.5, 0.05, 3))],
  [/^gemini-2\.5-pro/, gemini(price(1.25, 0.125, 10), price(2.5, 0.25, 15))],
  [/^gemini-2\.5-flash-lite/, gemini(price(0.1, 0.01, 0.4))],
  [/^gemini-2\.5-flash/, gemini(price(0.3, 0.03, 2.5))],
  [/^gemini-2\.0/, { ...gemini(null), outputTokensMax: 8_192 }],
  [/^gemini-/, gemini(null)],

  [/^claude-fable-5/, facts(MILLION, 128_000, price(10, null, 50))],
  [/^claude-opus-5-5/, facts(MILLION, 128_000, price(4, null, 20))],
  [/^claude-opus-(5|4-[678])/, facts(MILLION, 128_000, price(5, 0.5, 25))],
  [/^claude-sonnet-5/, facts(MILLION, 128_000, price(2, 0.2, 10))],
  [
    /^claude-haiku-5-5/,
    facts(MILLION, 128_000, price(0.1, 0.01, 0.5), { aboveTokens: 100_000, price: price(0.5, 0.05, 2.5) }),
  ],
  [/^claude-opus-4-5/, facts(200_000, 64_000, price(5, 0.5, 25))],
  [/^claude-opus-4/, facts(200_000, 32_000, price(15, 1.5, 75))],
  [/^claude-sonnet-4/, facts(200_000, 64_000, price(3, 0.3, 15))],
  [/^claude-haiku-4-5/, facts(200_000, 64_000, price(1, 0.1, 5))],
  [/^claude-/, facts(200_000, 8_192, null)],

  [
    /^gpt-6(\.\d)?-sol/,
    facts(1_050_000, 128_000, price(2, 0.2, 10), { aboveTokens: 272_000, price: price(4, 0.4, 15) }),
  ],
  [
    /^gpt-6(\.\d)?-luna/,
    facts(1_050_000, 128_000, price(0.1, 0.01, 0.5), { aboveTokens: 272_000, price: price(0.2, 0.02, 0.75) }),
  ],
  [/^gpt-6/, facts(1_050_000, 128_000, null)],
  [/^gpt-5\.6(-sol)?$/, facts(1_050_000, 128_000, price(4, 0.4, 20))],
  [/^gpt-5\.[456]/, facts(1_050_000, 128_000, null)],
  [/^gpt-5(\.1)?(-codex)?(-\d|$)/, facts(400_000, 128_000, price(1.25, 0.125, 10))],
  [/^gpt-5-mini/, facts(400_000, 128_000, price(0.25, 0.025, 2))],
  [/^gpt-5/, facts(400_000, 128_000, null)],
  [/^gpt-4\.1(-\d|$)/, facts(1_047_576, 32_768, price(2, 0.5, 8))],
  [/^gpt-4\.1/, facts(1_047_576, 32_768, null)],
  [/^gpt-4o/, facts(128_000, 16_384, null)],
  [/^o[134](-|$)/, facts(200_000, 100_000, null)],
];

/** What is known of a model by its name, with or without its maker's: `models/…`, `google/…`, `anthropic/…`. */
export function factsOf(model: string): ModelFacts {
  const name = bareName(model);
  return KNOWN.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}

/** In US dollars, estimated from list prices; null where we know none. What used no tokens costs nothing. */
export function costOf(model: string, usage: Usage): number | null {
  if (usage.inputTokens + usage.outputTokens === 0) return 0;
  const { price: base, long } = factsOf(model);
  const rates = long && usage.inputTokens > long.aboveTokens ? long.price : base;
  if (rates === null) return null;
  const fresh = usage.inputTokens - usage.cachedTokens;
  const cachedRate = rates.cached ?? rates.input;
  return (
    (fresh * rates.input + usage.cachedTokens * cachedRate + usage.outputTokens * rates.output) / MILLION
  );
}

const bareName = (model: string) => model.slice(model.lastIndexOf('/') + 1).toLowerCase();
