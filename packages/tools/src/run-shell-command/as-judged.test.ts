import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOTH_WAYS } from './testing/sandbox-here.js';
import { type TemporaryShell, temporaryShell } from './testing/temporary-shell.js';

let shell: TemporaryShell;

describe.each(BOTH_WAYS)(
  'what changed after a command was judged, and before it runs $how',
  ({ sandbox }) => {
    beforeEach(() => {
      shell = temporaryShell({ sandbox });
      writeFileSync(join(shell.outside, 'secret'), 'CANARY\n');
      shell.put('a.md', 'a\n');
    });
    afterEach(() => shell.remove());

    const changed = {
      code: 'execution_failed',
      message: expect.stringMatching(/^Nothing was run: .* Call it again/),
    };

    test('keeps it from running if a file has become a link that leads outside [P5]', async () => {
      for (const command of ['cat a.md', 'cat *.md', "sed 'r a.md' b"]) {
        const context = await shell.context({ command });
        rmSync(join(shell.workspace, 'a.md'));
        symlinkSync(join(shell.outside, 'secret'), join(shell.workspace, 'a.md'));
        expect(await shell.runPlanned(command, context)).toMatchObject({ failure: changed, text: '' });
        rmSync(join(shell.workspace, 'a.md'));
        shell.put('a.md', 'a\n');
      }
    });

    test('keeps it from running if the repository now names a program [P4]', async () => {
      execFileSync('git', ['init', '-q', shell.workspace]);
      const evil = shell.put('evil.sh', `#!/bin/sh\ntouch ${shell.workspace}/ran\n`);
      chmodSync(evil, 0o755);
      const context = await shell.context({ command: 'git status' });
      execFileSync('git', ['-C', shell.workspace, 'config', 'core.fsmonitor', './evil.sh']);
      const came = await shell.runPlanned('git status', context);
      expect(came).toMatchObject({
        failure: { ...changed, message: expect.stringContaining('core.fsmonitor') },
      });
      expect(existsSync(join(shell.workspace, 'ran'))).toBe(false);
    });

    test('does not matter to what a person agreed to [P5]', async () => {
      const context = await shell.context(
        { command: 'cat *.md' },
        { permit: { type: 'person', who: 'ada' } },
      );
      symlinkSync(join(shell.outside, 'secret'), join(shell.workspace, 'b.md'));
      expect(await shell.runPlanned('cat *.md', context)).toMatchObject({ ok: true });
    });

    test('is no matter if it is ordinary [P5]', async () => {
      const context = await shell.context({ command: 'cat *.md' });
      shell.put('b.md', 'b\n');
      expect(await shell.runPlanned('cat *.md', context)).toMatchObject({
        ok: true,
        text: 'a\nb\nExit code: 0',
      });
    });
  },
);
