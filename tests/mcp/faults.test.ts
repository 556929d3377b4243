import { describe, expect, test } from 'vitest';
import { McpSession } from './mcp-session.js';
import { faultsIn, isSlow, runFault } from './run-fault.js';

/** Those in which an approval and a change meet are in `definitions.test.ts`. */
const ELSEWHERE = ['MC-P-016', 'MC-P-017'];

/** A second on an idle machine; the limits under test grow with how busy it is. */
const FAULT_MS_MAX = 120_000;

describe('a server that misbehaves does no harm [M2]', () => {
  const faults = faultsIn('mcp-faults.public.jsonl');
  for (const fault of faults.filter((each) => !isSlow(each) && !ELSEWHERE.includes(each.id)))
    test.concurrent(`${fault.id}: ${fault.name}`, () => runFault(fault), FAULT_MS_MAX);
});

test('bad servers keep neither a good one nor the built-in tools from working [M2]', async () => {
  const world = await McpSession.open();
  await world.manager.connectToServers({
    missing: { command: '/no/such/program' },
    nothing: {},
    silent: world.faulty({ initialize: [{ silence: 1 }] }),
    dead: world.faulty({ start: [{ exit: 1 }] }),
    nobody: { url: 'http://127.0.0.1:1/mcp' },
    good: world.faulty({}, { trust: true }),
  });
  expect(world.manager.status().map(({ name, status }) => [name, status.state])).toEqual([
    ['missing', 'failed'],
    ['nothing', 'failed'],
    ['silent', 'failed'],
    ['dead', 'failed'],
    ['nobody', 'failed'],
    ['good', 'connected'],
  ]);
  expect(await world.call('mcp_good_add', { a: 2, b: 3 })).toMatchObject({ result: { returnDisplay: '5' } });
  expect(await world.call('list_directory', { dir_path: '.' })).toMatchObject({ status: 'success' });
  await world.close();
});
