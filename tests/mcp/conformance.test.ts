import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

/** By scenario: why it fails. `node scripts/conformance.mjs` finds out whether it still does; it takes too much to do here. */
const Known = z.strictObject({
  client: z.record(z.string().regex(/^[\w./-]+$/), z.string().min(20)),
  server: z.record(z.string().regex(/^[\w./-]+$/), z.string().min(20)),
});

test('every known failure of the conformance suite has its reason, and none is of calling tools [M1] [M4]', () => {
  const known = Known.parse(
    JSON.parse(readFileSync(new URL('conformance-known.json', import.meta.url), 'utf8')),
  );
  const allowed =
    /^(auth\/|completion|elicitation|logging|prompts|resources|tools-call-(elicitation|sampling|with-logging)$)/;
  for (const scenario of [...Object.keys(known.client), ...Object.keys(known.server)])
    expect(scenario).toMatch(allowed);
  expect(Object.keys(known.client).every((scenario) => scenario.startsWith('auth/'))).toBe(true);
});
