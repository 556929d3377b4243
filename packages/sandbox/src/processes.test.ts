import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PERSONS, Place, UNAVAILABLE } from './testing/place.js';

describe.each(PERSONS)('processes confined as $name', (person) => {
  skipBecause(UNAVAILABLE);
  let place: Place;
  beforeEach(() => {
    place = new Place(person);
  });
  afterEach(() => place.remove());

  /** As commands are run: by a shell that leads a session and stays outside. */
  function start(script: string): ChildProcess {
    const wrapper = ['-c', '"$@"; exit $?', 'sh', ...place.commandLine(script)];
    return spawn('/bin/sh', wrapper, { ...place.options(), detached: true, stdio: 'ignore' });
  }

  test.each([0, 1, 42, 127, 255])('the exit code %i is passed on [X4]', (code) => {
    expect(place.run(`exit ${code}`).code).toBe(code);
  });

  test('the end by a signal is passed on as 128 and its number [X4]', () => {
    expect(place.run('kill -KILL $$').code).toBe(128 + 9);
    expect(place.run('kill -SEGV $$').code).toBe(128 + 11);
  });

  test('a program that is not there is distinguished from one that fails', () => {
    expect(place.run('exec no-such-program')).toMatchObject({ code: 127 });
  });

  test('output goes to a file opened outside, at its end, in order [X1]', async () => {
    const spool = place.put(join(place.home, 'store/spool'), '');
    const file = openSync(spool, 'a');
    writeSync(file, 'before\n');
    const profile = place.profile({ ours: [join(place.home, 'store')] });
    const script = `for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo again >>/dev/stdout; cat ${spool}`;
    const [program = '', ...args] = place.commandLine(script, profile);
    await ended(spawn(program, args, { ...place.options(), stdio: ['ignore', file, file] }));
    closeSync(file);
    expect(readFileSync(spool, 'utf8')).toBe(
      `before\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nagain\ncat: ${spool}: No such file or directory\n`,
    );
  });

  test('TERM to the session inside reaches the command, which ends in its own way [X3]', async () => {
    const child = start('trap "echo bye >said; exit 7" TERM; touch ready; while :; do sleep 0.02; done');
    await until(() => existsSync(join(place.workspace, 'ready')));
    process.kill(-reaperOf(child), 'SIGTERM');
    expect(await ended(child)).toBe(7);
    expect(readFileSync(join(place.workspace, 'said'), 'utf8')).toBe('bye\n');
  });

  test('to kill the reaper is to kill all, also what ignores TERM and left its session [X3]', async () => {
    const seconds = `${3000 + process.pid / 1e7 + person.uid / 1e9}`;
    const child = start(
      `trap '' TERM; setsid -f sleep ${seconds}; (setsid sleep ${seconds} &); touch ready; sleep ${seconds}`,
    );
    await until(() => existsSync(join(place.workspace, 'ready')) && sleeping(seconds) === 3);
    process.kill(reaperOf(child), 'SIGKILL');
    expect(await ended(child)).toBe(128 + 9);
    await until(() => sleeping(seconds) === 0);
  });

  test('it survives when the process that started it is killed [X5]', async () => {
    const child = start('touch ready; sleep 0.3; echo end >end');
    await until(() => existsSync(join(place.workspace, 'ready')));
    child.kill('SIGKILL');
    await ended(child);
    await until(() => existsSync(join(place.workspace, 'end')));
    expect(child.signalCode).toBe('SIGKILL');
  });
});

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));

const WAIT_MS_MAX = 30_000;

async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + WAIT_MS_MAX; !isSo(); await delay(10))
    if (Date.now() > end) throw new Error('it did not come about in time');
}

/** The wrapper runs bubblewrap, and that the first process of the namespace. */
const reaperOf = (wrapper: ChildProcess): number => firstChildOf(firstChildOf(wrapper.pid));

const firstChildOf = (pid: number | undefined): number =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

const sleeping = (seconds: string): number =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid) === `sleep\0${seconds}\0`)
    .length;

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
