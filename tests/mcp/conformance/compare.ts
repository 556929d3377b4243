import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** What one scenario of the suite found: the ids of the checks that failed, and the suite's words on them. */
export type Result = {
  readonly scenario: string;
  readonly failed: readonly string[];
  readonly details: readonly string[];
};

/** By scenario: the checks that are known to fail. */
export type Known = { readonly [scenario: string]: readonly string[] };

const KnownFailures = z.array(
  z.strictObject({
    why: z.string().min(20),
    scenarios: z.record(z.string().regex(/^[\w./-]+$/), z.array(z.string()).min(1)),
  }),
);
const KnownFile = z.strictObject({ client: KnownFailures, server: KnownFailures });

/** Every known failure is in known.json under its reason, once. */
export function readKnown(): { readonly client: Known; readonly server: Known } {
  const file = KnownFile.parse(JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8')));
  return { client: merged(file.client), server: merged(file.server) };
}

function merged(groups: z.infer<typeof KnownFailures>): Known {
  const entries = groups.flatMap(({ scenarios }) => Object.entries(scenarios));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`known.json has ${twice} twice`);
  return Object.fromEntries(entries);
}

/**
 * Where a run differs from what is known, both ways: a check that fails and is not listed, and a listed one that does not
 * fail. A scenario that gave no result differs too: it must not count as passed.
 */
export function differences(
  scenarios: readonly string[],
  results: readonly Result[],
  known: Known,
): readonly string[] {
  if (scenarios.length === 0) return ['The suite names no scenario: nothing was run.'];
  const names = [...new Set([...scenarios, ...results.map(({ scenario }) => scenario)])];
  const gone = Object.keys(known).filter((name) => !names.includes(name));
  return [
    ...names.flatMap((name) => differencesIn(name, results, known[name] ?? [])),
    ...gone.map((name) => `${name}: the suite has no such scenario. Remove it from known.json.`),
  ];
}

function differencesIn(
  name: string,
  results: readonly Result[],
  known: readonly string[],
): readonly string[] {
  const result = results.find(({ scenario }) => scenario === name);
  if (result === undefined) return [`${name}: gave no result.`];
  const fresh = result.failed.filter((check) => !known.includes(check));
  const fixed = known.filter((check) => !result.failed.includes(check));
  return [
    ...(fresh.length > 0 ? [`${name}: fails at ${fresh.join(', ')}.\n${result.details.join('\n')}`] : []),
    ...fixed.map((check) => `${name}: no longer fails at ${check}. Remove that from known.json.`),
  ];
}
