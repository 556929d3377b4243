import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { isAlive, thisProcess } from './process-identity.js';

let child: ChildProcess | null = null;

afterEach(() => {
  child?.kill('SIGKILL');
  child = null;
});

test('this process lives, and keeps its identity', () => {
  expect(thisProcess().pid).toBe(process.pid);
  expect(thisProcess()).toEqual(thisProcess());
  expect(isAlive(thisProcess())).toBe(true);
});

test('a process that uses the same id later is another process', () => {
  expect(isAlive({ ...thisProcess(), started: '1' })).toBe(false);
});

test('no process outlives its boot', () => {
  expect(isAlive({ ...thisProcess(), boot: 'another boot' })).toBe(false);
});

test('a process that was killed is dead, and so is a zombie process [J2]', async () => {
  // The first `sleep` ends when its parent has become the second, which never asks how it went.
  child = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  if (!child.stdout || child.pid === undefined) throw new Error('no child');
  const [text]: string[] = await once(child.stdout, 'data').then(([data]) => [String(data)]);
  const zombie = { pid: Number(text), started: '', boot: thisProcess().boot };
  const parent = { pid: child.pid, started: '', boot: thisProcess().boot };
  expect(isAlive(parent)).toBe(true);
  await expect.poll(() => isAlive(zombie)).toBe(false);
  // It is still in the table of processes, so a mere look at its id would be fooled.
  expect(() => process.kill(zombie.pid, 0)).not.toThrow();

  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(parent)).toBe(false);
});
