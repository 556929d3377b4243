import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace } from '@countersign/host/testing';
import { skipBecause } from '@countersign/testkit/vitest';
import { expect, test } from 'vitest';
import { UNAVAILABLE } from './testing/sandbox-here.js';
import { temporaryShell } from './testing/temporary-shell.js';

skipBecause(UNAVAILABLE);

test('a sandbox that is remembered and no longer starts runs nothing, and is forgotten [B1]', async () => {
  const place = temporaryWorkspace();
  const rememberIn = join(place.workspace, '..', 'remembered');
  const home = join(place.workspace, '..', 'home');
  for (const directory of [rememberIn, home]) mkdirSync(directory);
  const bubblewrap = join(place.workspace, '..', 'bwrap');
  const broken = join(place.workspace, '..', 'broken');
  const script = `#!/bin/sh\n[ -e ${broken} ] && { echo 'bwrap: no namespaces' >&2; exit 1; }\nexec /usr/bin/bwrap "$@"\n`;
  writeFileSync(bubblewrap, script, { mode: 0o755 });
  const shell = temporaryShell({ sandbox: 'on', home, bubblewrap, rememberIn }, place);

  expect(await shell.run('echo confined')).toMatchObject({ ok: true });
  expect(readdirSync(rememberIn)).toEqual(['countersign-sandbox-passed']);
  writeFileSync(broken, '');
  expect(await shell.run('touch ran')).toMatchObject({
    failure: { code: 'execution_failed', type: 'sandbox_failed' },
  });
  expect(existsSync(join(place.workspace, 'ran'))).toBe(false);
  expect(readdirSync(rememberIn)).toEqual([]);
  place.remove();
});
