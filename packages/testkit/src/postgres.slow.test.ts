import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Postgres, startPostgres } from './postgres.js';

const TEST_MS_MAX = 120_000;

async function connect({ url }: Postgres): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A server that is killed closes its connections with an error.
  client.on('error', () => {});
  await client.connect();
  return client;
}

test('a server starts, keeps what was committed over a SIGKILL, and stops without a trace', {
  timeout: TEST_MS_MAX,
}, async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const before = await connect(postgres);
  const { rows: versions } = await before.query('select version()');
  expect(versions).toEqual([{ version: expect.stringMatching(/^PostgreSQL 1\d/) }]);
  await before.query('create table facts (seq int primary key); insert into facts values (1), (2)');
  await before.query('begin; insert into facts values (3)');

  const first = postgres.pid();
  await postgres.crash();

  expect(postgres.pid()).not.toBe(first);
  const after = await connect(postgres);
  const { rows } = await after.query('select seq from facts order by seq');
  expect(rows).toEqual([{ seq: 1 }, { seq: 2 }]);
  await after.end();

  const second = postgres.pid();
  await postgres.stop();
  expect(() => process.kill(second, 0)).toThrow('ESRCH');
  expect(existsSync(postgres.directory)).toBe(false);
});

test('a server ends with the process that started it, also if that is killed', {
  timeout: TEST_MS_MAX,
}, async () => {
  const module = join(import.meta.dirname, '../dist/postgres.js');
  const script = `const { startPostgres } = await import(process.argv[1]);
    const { pid, directory } = await startPostgres();
    console.log(JSON.stringify([pid(), directory]));
    setInterval(() => {}, 1_000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, module], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(owner.stdout, 'data');
  const [pid, directory]: [number, string] = JSON.parse(String(line));
  process.kill(pid, 0);
  expect(existsSync(directory)).toBe(true);

  owner.kill('SIGKILL');

  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
    timeout: 30_000,
    interval: 50,
  });
  await vi.waitFor(() => expect(existsSync(directory)).toBe(false), { timeout: 30_000, interval: 50 });
});
