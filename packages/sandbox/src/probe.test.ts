import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { confinementFor } from './confinement.js';
import { probe, probeSandbox } from './probe.js';
import type { Probe } from './sandbox.js';

const directory = mkdtempSync(join(tmpdir(), 'countersign-probe-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function program(script: string): string {
  const path = join(directory, `bwrap-${readdirSync(directory).length}`);
  const version = '[ "$1" = --version ] && { echo bubblewrap 9.9.9; exit; }';
  writeFileSync(path, `#!/bin/bash\n${version}\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const BWRAP = '/usr/bin/bwrap';
const works =
  existsSync(BWRAP) && spawnSync(BWRAP, ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const NO_BWRAP = `Bubblewrap does not run here: ${BWRAP}`;

test('a bubblewrap that confines is found available, with its version [B1]', async (context) => {
  context.skip(!works, NO_BWRAP);
  const version = spawnSync(BWRAP, ['--version']).stdout.toString().trim().replace('bubblewrap ', '');
  expect(await probeSandbox()).toEqual({ available: true, version, program: BWRAP });
  expect(probeSandbox()).toBe(probeSandbox());
});

test('a missing one is reported, with the fix [B1]', async () => {
  expect(await probe(null)).toEqual({
    available: false,
    why: 'Bubblewrap (bwrap) is not installed.',
    fix: 'Install the package "bubblewrap", for instance with: apt install bubblewrap',
  });
});

/** Runs the command with some of the arguments omitted or put in. */
const through = (change: string) =>
  `args=(); for arg; do ${change}; args+=("$arg"); done; exec ${BWRAP} "\${args[@]}"`;

test('one that confines nothing is found out [B1]', async () => {
  const nothing = program(
    'while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done; shift; exec "$@"',
  );
  expect(await probe(nothing)).toMatchObject({
    available: false,
    why: 'Bubblewrap 9.9.9 runs, but a file outside the workspace could be written.',
  });
});

test('one that leaves a single way out is found out [B1]', async (context) => {
  context.skip(!works, NO_BWRAP);
  const network = program(
    through('[ "$arg" = --unshare-all ] && args+=(--unshare-pid --unshare-ipc) && continue'),
  );
  expect(await probe(network)).toMatchObject({ why: expect.stringMatching(/the network could be reached/) });
  const secrets = program(through('[[ $arg == */.ssh ]] && arg=/var/tmp'));
  expect(await probe(secrets)).toMatchObject({ why: expect.stringMatching(/a hidden file could be read/) });
});

const isRoot = process.geteuid?.() === 0;
test('one that leaves root its powers is found out [B1]', async (context) => {
  context.skip(!works, NO_BWRAP);
  context.skip(!isRoot, 'Only root has these powers.');
  const capable = program(through('[ "$arg" = --cap-drop ] && arg=--cap-add'));
  expect(await probe(capable)).toMatchObject({ why: expect.stringMatching(/could be made writable/) });
  const kernel = program(through('[[ $arg == /proc && ${args[-1]} == --remount-ro ]] && arg=/var/tmp'));
  expect(await probe(kernel)).toMatchObject({ why: expect.stringMatching(/settings of the kernel/) });
});

test.each([
  ['bwrap: setting up uid map: Permission denied', /user namespaces/],
  ['bwrap: No permissions to create new namespace', /user namespaces/],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /Allow mounts/],
  ['bwrap: Unknown option --something', /manually/],
])('one that cannot start says why, with the fix: %s [B1]', async (message, fix) => {
  const found = await probe(program(`echo '${message.replaceAll("'", `'\\''`)}' >&2; exit 1`));
  expect(found).toEqual({
    available: false,
    why: `Bubblewrap cannot start here: ${message}`,
    fix: expect.stringMatching(fix),
  });
});

describe('the directory of a self-test', () => {
  const temporary = mkdtempSync(join(directory, 'tmp-'));
  const left = () => readdirSync(temporary).toSorted();
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  const abandon = (name: string): string => {
    mkdirSync(join(temporary, name, 'home/.ssh'), { recursive: true });
    writeFileSync(join(temporary, name, 'home/.ssh/canary'), 'canary\n');
    return name;
  };
  beforeEach(() => vi.stubEnv('TMPDIR', temporary));
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const name of left()) rmSync(join(temporary, name), { recursive: true });
  });

  test('is removed by the probe that made it, whatever the result', async () => {
    const seen = join(directory, 'seen');
    await probe(program(`ls ${temporary} >${seen}; exit 1`));
    expect(readFileSync(seen, 'utf8')).toMatch(`countersign-self-test-${process.pid}-${namespace}-`);
    expect(left()).toEqual([]);
  });

  test('of a process that was killed is removed by the next probe, and no other is', async () => {
    const running = abandon(`countersign-self-test-${process.pid}-${namespace}-abcdef`);
    const elsewhere = abandon(`countersign-self-test-${GONE_PID}-1-abcdef`);
    const nameless = abandon('countersign-self-test-abcdef');
    const others = abandon(`countersign-self-test-${GONE_PID}-${namespace}-notes`);
    symlinkSync(directory, join(temporary, `countersign-self-test-${GONE_PID}-${namespace}-linked`));
    abandon(`countersign-self-test-${GONE_PID}-${namespace}-abcdef`);
    await probe(program('exit 1'));
    const linked = `countersign-self-test-${GONE_PID}-${namespace}-linked`;
    expect(left()).toEqual([running, elsewhere, nameless, others, linked].toSorted());
  });

  test('that is older than any self-test takes is removed, whatever process has its number now', async () => {
    const old = [
      abandon('countersign-self-test-abcdef'),
      abandon(`countersign-self-test-1-${namespace}-abcdef`),
    ];
    for (const name of old) utimesSync(join(temporary, name), 0, 0);
    await probe(program('exit 1'));
    expect(left()).toEqual([]);
  });

  test('of another user is not touched', async (context) => {
    context.skip(!isRoot, 'Only root may give files away.');
    const name = abandon(`countersign-self-test-${GONE_PID}-${namespace}-abcdef`);
    chownSync(join(temporary, name), 12_345, 12_345);
    await probe(program('exit 1'));
    expect(left()).toEqual([name]);
  });
});

/** More than any process of this machine has. */
const GONE_PID = 2 ** 31 - 2;

const HERE: Probe = { available: true, version: '9.9.9', program: BWRAP };
const NOT_HERE: Probe = { available: false, why: 'It is not installed.', fix: 'Install it.' };

test('off, on and required: confined, unconfined and saying why, or refused with the fix [B1]', async () => {
  const decide = async (mode: 'on' | 'required', found: Probe) =>
    confinementFor(mode, () => Promise.resolve(found));
  expect(await decide('on', HERE)).toEqual({ run: 'confined', sandbox: HERE });
  expect(await decide('required', HERE)).toEqual({ run: 'confined', sandbox: HERE });
  expect(await decide('on', NOT_HERE)).toEqual({
    run: 'unconfined',
    because: 'It is not installed.',
    fix: 'Install it.',
  });
  expect(await decide('required', NOT_HERE)).toEqual({
    run: 'refuse',
    why: 'It is not installed.',
    fix: 'Install it.',
  });
  const untried = () => Promise.reject(new Error('it must not be probed'));
  expect(await confinementFor('off', untried)).toMatchObject({ run: 'unconfined' });
});

/** A bubblewrap that counts how often it is started. */
const counted = (name: string) => {
  const count = join(directory, name);
  const path = program(`echo started >>${count}; exec ${BWRAP} "$@"`);
  return { path, starts: () => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').length - 1 : 0) };
};

test('one that passed is not tried again by the next process, until it is doubted [B1]', async (context) => {
  context.skip(!works, NO_BWRAP);
  const { path, starts } = counted('passed');
  const place = mkdtempSync(join(directory, 'kept-'));
  const { probeSandbox: first, doubtSandbox } = await anotherProcess();
  expect(await first(path, place)).toMatchObject({ available: true, version: '9.9.9', program: path });
  const { probeSandbox: second } = await anotherProcess();
  expect(await second(path, place)).toEqual(await first(path, place));
  expect(starts()).toBe(1);
  doubtSandbox();
  expect(await first(path, place)).toMatchObject({ available: true });
  expect(starts()).toBe(1);
  const { probeSandbox: third } = await anotherProcess();
  expect(await third(path, place)).toMatchObject({ available: true });
  expect(starts()).toBe(2);
});

test('one that failed is tried again by every process [B1]', async () => {
  const path = program('exit 1');
  const place = mkdtempSync(join(directory, 'kept-'));
  const { probeSandbox: first } = await anotherProcess();
  expect(await first(path, place)).toMatchObject({ available: false });
  expect(readdirSync(place)).toEqual([]);
});

/** What a process knows is kept in its modules. */
async function anotherProcess() {
  vi.resetModules();
  return import('./probe.js');
}
