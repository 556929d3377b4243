import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@countersign/server/client';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Served } from './served.js';
import { must, Serving } from './serving.js';

describe('a store that is not there any more', () => {
  let serving: Serving;
  let store: string;
  beforeEach(async () => {
    serving = await Serving.start();
    store = join(serving.directory, 'countersign.db');
    expect(await readyAt(serving.server.url)).toEqual({ status: 200, code: undefined });
  });
  afterEach(() => serving.close());

  test('a server whose store was deleted is not ready [W1]', async () => {
    rmSync(store);
    expect(await readyAt(serving.server.url)).toEqual({ status: 503, code: 'journal_unavailable' });
  });

  test('a server whose store was replaced by another file is not ready [W1]', async () => {
    copyFileSync(store, `${store}.copy`);
    renameSync(`${store}.copy`, store);
    expect(await readyAt(serving.server.url)).toEqual({ status: 503, code: 'journal_unavailable' });
  });
});

test('with its store deleted a server answers 503 to everything that needs it, and says at its end that it is gone [W1] [J1]', async () => {
  const served = new Served();
  try {
    const store = join(served.directory, 'kept');
    mkdirSync(store);
    await served.start('--port', '0', '--store', store);
    const { sessionId } = must(await served.client.createSession({ body: {} }));
    rmSync(store, { recursive: true });
    const { client } = served;
    const requests: { readonly [name: string]: () => Promise<Result<unknown>> } = {
      list: () => client.listSessions({}),
      create: () => client.createSession({ body: {} }),
      show: () => client.showSession({ sessionId }),
      approvals: () => client.listApprovals({}),
      statistics: () => client.statistics({}),
      grants: () => client.listGrants({}),
      audit: () => client.listFacts({}),
      fork: () => client.forkSession({ sessionId, body: {} }),
      mode: () => client.setMode({ sessionId, body: { mode: 'plan' } }),
      delete: () => client.deleteSession({ sessionId }),
    };
    for (const [name, send] of Object.entries(requests)) {
      const sent = await send();
      const outcome = sent.ok ? ['ok'] : [sent.error.status, sent.error.code];
      expect([name, ...outcome]).toEqual([name, 503, 'journal_unavailable']);
    }
    expect(await served.end('SIGTERM')).toBe(4);
    expect(served.stderr).toContain('was removed or replaced while in use');
    expect(served.stderr).not.toMatch(/Nothing is left open|stay in the store|ENOENT|\n +at /);
  } finally {
    await served.close();
  }
}, 60_000);

describe('on a full disk', () => {
  skipBecause(
    canMount()
      ? null
      : 'A small file system cannot be mounted: that takes root, and containers often forbid it.',
  );
  let served: Served;
  let small: string;
  beforeEach(() => {
    served = new Served();
    small = join(served.directory, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
  });
  afterEach(async () => {
    await served.end('SIGKILL');
    execFileSync('umount', [small]);
    await served.close();
  });

  test('the server is not ready, and is ready again once there is space [W1]', async () => {
    await served.start('--port', '0', '--store', small);
    expect(await readyAt(served.url)).toEqual({ status: 200, code: undefined });
    const filler = fill(small);
    expect(await readyAt(served.url)).toEqual({ status: 507, code: 'journal_full' });
    expect(must(await served.client.whoAmI({})).name).toBe('tester');
    rmSync(filler);
    expect(await readyAt(served.url)).toEqual({ status: 200, code: undefined });
  });

  test('a first start that cannot write its tokens says so in one line, and leaves no partial file [W3]', () => {
    served.environment = { COUNTERSIGN_HOME: join(small, 'home') };
    fill(small);
    const { code, stdout, stderr } = served.run('serve', '--port', '0', '--store', served.directory);
    expect(stderr).toBe(
      `countersign: No space is left to write ${join(small, 'home/server-tokens.json')}.\n` +
        '  Free some space, then try again. The old file is unchanged.\n',
    );
    expect([code, stdout]).toEqual([4, '']);
    const home = join(small, 'home');
    expect(existsSync(home) ? readdirSync(home) : []).toEqual([]);
  });

  test('a browser that cannot be recorded is refused with the reason, and the server reports no internal error [W3]', async () => {
    served.environment = { COUNTERSIGN_HOME: join(small, 'home') };
    await served.start('--port', '0', '--store', served.directory);
    fill(small);
    const code = served.stdout.trim().split('#pair=')[1];
    const answer = await fetch(`${served.url}/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([507, { error: { code: 'no_space_left' } }]);
    const { stderr } = served.run('serve', 'link', '--port', String(served.port));
    expect(stderr).toMatch(/^countersign: No space is left to write .*\n {2}Free some space.*\n$/);
    expect(served.stderr).not.toMatch(/^ +at /m);
  });
});

async function readyAt(url: string): Promise<{ readonly status: number; readonly code: unknown }> {
  const answer = await fetch(`${url}/ready`);
  const { error } = problem.parse(await answer.json());
  return { status: answer.status, code: error?.code };
}

const problem = z.object({ error: z.object({ code: z.string() }).optional() });

/** Until nothing more fits. Returns the file that takes the space. */
function fill(directory: string): string {
  const path = join(directory, 'filler');
  const file = openSync(path, 'w');
  try {
    for (const bytes of [64 * 1024, 1]) writeUntilFull(file, Buffer.alloc(bytes));
  } finally {
    closeSync(file);
  }
  return path;
}

function writeUntilFull(file: number, piece: Buffer): void {
  for (let written = 0; written < 16 * 1024; written++) {
    try {
      writeSync(file, piece);
    } catch {
      return;
    }
  }
}

/** A file system that really is full can only be had by mounting a small one. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  const trial = mkdtempSync(join(tmpdir(), 'countersign-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', trial], { stdio: 'ignore' });
    execFileSync('umount', [trial], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true });
  }
}
