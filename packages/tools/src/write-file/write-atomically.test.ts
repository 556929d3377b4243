import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insideDirectory, readWholeFile, temporaryName, writeAtomically } from '@countersign/host';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { writeFile } from './write-file.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

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

describe('on a full disk', () => {
  skipBecause(
    canMount()
      ? null
      : 'A small file system cannot be mounted: that takes root, and containers often forbid it.',
  );
  let small: string;
  beforeEach(() => {
    small = join(place.workspace, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
  });
  afterEach(() => {
    execFileSync('umount', [small]);
  });

  test('the old file stays whole, nothing is left over, and the reason is given [T4]', async () => {
    writeFileSync(join(small, 'a'), 'old');
    const content = 'x'.repeat(100_000);
    const overwriting = carryOut(
      writeFile,
      { file_path: 'small/a', content },
      { workspace: place.workspace },
    );
    expect(await failureOf(overwriting)).toEqual({ code: 'no_space_left', path: 'small/a' });
    const creating = carryOut(writeFile, { file_path: 'small/b', content }, { workspace: place.workspace });
    expect(await failureOf(creating)).toEqual({ code: 'no_space_left', path: 'small/b' });
    expect(readdirSync(small)).toEqual(['a']);
    expect(readFileSync(join(small, 'a'), 'utf8')).toBe('old');
  });
});

describe('as root', () => {
  skipBecause(process.geteuid?.() === 0 ? null : 'Only root may give files away.');
  test('the owner of a replaced file stays, and with it the set-user-id bit [T4]', async () => {
    const path = place.put('a', 'old');
    chownSync(path, 1_234, 2_345);
    execFileSync('chmod', ['4755', path]);
    await carryOut(writeFile, { file_path: 'a', content: 'new' }, { workspace: place.workspace });
    const { uid, gid, mode } = statSync(path);
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1_234, gid: 2_345, mode: 0o4755 });
  });
});

describe('a file that changed at the last moment is left alone [A3]', () => {
  /** Writes with what was known of the file before `meanwhile`. */
  const write = (meanwhile: () => void) =>
    insideDirectory(place.workspace, 'fail', async (directory) => {
      const present = (await readWholeFile(directory, 'a', 'a', 1_000))?.stats ?? null;
      meanwhile();
      const { signal } = new AbortController();
      await writeAtomically({
        directory,
        name: 'a',
        temporaryName: temporaryName(),
        bytes: Buffer.from('ours'),
        present,
        shown: 'a',
        signal,
      });
    });
  const stale = { code: 'stale_file', path: 'a' };
  const stateAfter = () =>
    readdirSync(place.workspace).map((name) => [name, readFileSync(join(place.workspace, name), 'utf8')]);

  test('whether it was written, even to the same length', async () => {
    place.put('a', 'old');
    expect(await failureOf(write(() => place.put('a', 'new')))).toEqual(stale);
    expect(stateAfter()).toEqual([['a', 'new']]);
  });

  test('or replaced', async () => {
    place.put('a', 'old');
    const replace = () => {
      place.put('b', 'old');
      renameSync(join(place.workspace, 'b'), join(place.workspace, 'a'));
    };
    expect(await failureOf(write(replace))).toEqual(stale);
    expect(stateAfter()).toEqual([['a', 'old']]);
  });

  test('or made, or removed', async () => {
    expect(await failureOf(write(() => place.put('a', 'theirs')))).toEqual(stale);
    expect(stateAfter()).toEqual([['a', 'theirs']]);
    expect(await failureOf(write(() => rmSync(join(place.workspace, 'a'))))).toEqual(stale);
    expect(stateAfter()).toEqual([]);
  });
});

test('a reader never sees half a file, and no temporary file outlives the writes [T4]', async () => {
  const path = place.put('a', 'a'.repeat(200_000));
  const seen = new Set<string>();
  let writing = true;
  const reading = (async () => {
    while (writing) {
      const text = readFileSync(path, 'utf8');
      seen.add(`${text[0]}${text.length}${new Set(text).size}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (const letter of ['b', 'c', 'd', 'e', 'f'])
    await carryOut(
      writeFile,
      { file_path: 'a', content: letter.repeat(200_000) },
      { workspace: place.workspace },
    );
  writing = false;
  await reading;
  expect([...seen].every((state) => /^[a-f]2000001$/.test(state))).toBe(true);
  expect(readdirSync(place.workspace)).toEqual(['a']);
});

describe('under an attacker who keeps swapping the parent for a symlink', () => {
  /** So long at least, and then until there were enough, which takes longer on a busy machine. */
  const RACE_MS = 1_000;
  const SWAPS_MIN = 150;
  const SWAPPER = `
    const { renameSync, rmSync, symlinkSync } = require('node:fs');
    const [workspace, outside, ms, swapsMin] = process.argv.slice(1);
    const [parent, kept] = [workspace + '/d', workspace + '/kept'];
    const spin = () => { const end = performance.now() + Math.random(); while (performance.now() < end); };
    const end = Date.now() + Number(ms);
    let swaps = 0;
    process.stdout.write('started');
    while (Date.now() < end || (swaps < Number(swapsMin) && Date.now() < end + 30_000)) {
      renameSync(parent, kept);
      // A write that found no parent may have made one meanwhile.
      try { symlinkSync(outside, parent); swaps += 1; } catch {}
      spin();
      for (;;) try { rmSync(parent, { recursive: true, force: true }); renameSync(kept, parent); break; } catch {}
      spin();
    }
    process.stderr.write(String(swaps));
  `;

  test('nothing outside changes, whatever becomes of the writes [P5]', async () => {
    place.put('d/out.txt', '0');
    writeFileSync(`${place.outside}/out.txt`, 'CANARY');
    const limits = [RACE_MS, SWAPS_MIN].map(String);
    const swapper = spawn(process.execPath, ['-e', SWAPPER, place.workspace, place.outside, ...limits]);
    let swaps = '';
    swapper.stderr.on('data', (text) => {
      swaps += text;
    });
    const ended = new Promise((resolve) => swapper.once('close', resolve));
    await new Promise((resolve) => swapper.stdout.once('data', resolve));
    const outcomes = { written: 0, refused: 0 };
    for (let attempt = 1; swapper.exitCode === null; attempt += 1) {
      // Old and new files in turn: of a new one there is no content whose hash could give the attack away.
      const name = attempt % 2 === 0 ? 'out.txt' : `new-${attempt}.txt`;
      const args = { file_path: `d/${name}`, content: `${attempt}` };
      // A plan made while the link was there is for the outside: policy would ask, so it is not carried out.
      const meanwhile = (plan: { resources: readonly object[] }) => {
        if (JSON.stringify(plan.resources).includes('"outside"')) throw new Error('asks');
      };
      const carried = carryOut(writeFile, args, { workspace: place.workspace, meanwhile });
      await carried.then(
        () => (outcomes.written += 1),
        () => (outcomes.refused += 1),
      );
    }
    expect(await ended).toBe(0);
    expect(readFileSync(`${place.outside}/out.txt`, 'utf8')).toBe('CANARY');
    expect(readdirSync(place.outside)).toEqual(['out.txt']);
    expect(readdirSync(`${place.workspace}/d`).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // It was a race, or nothing was tried.
    expect(Number(swaps)).toBeGreaterThan(100);
    expect(outcomes.written).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});
