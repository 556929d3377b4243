import { join } from 'node:path';
import { skipBecause } from '@countersign/testkit/vitest';
import { expect, test } from 'vitest';
import { PERSONS, Place, UNAVAILABLE } from '../testing/place.js';

/** One of each kind: keys, clouds, registries, build tools, agents, and what a person keeps in a file of their own. */
const KEPT_IN = [
  '.config/sops/age/keys.txt',
  '.s3cfg',
  '.config/hub',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.local/share/opencode/auth.json',
  '.ollama/id_ed25519',
  '.gemini/mcp-oauth-tokens.json',
  '.env',
];

skipBecause(UNAVAILABLE);

test.each(PERSONS)('accounts and keys of other programs are out of sight for $name [B1]', (person) => {
  const place = new Place(person);
  try {
    for (const name of KEPT_IN) place.put(join(place.home, name), `SECRET of ${name}`);
    const { output } = place.run(`cd; cat ${KEPT_IN.join(' ')} 2>/dev/null; echo ran`);
    expect(output).toBe('ran');
  } finally {
    place.remove();
  }
});
