import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { errorOf, type Line, type Place, type Running, test } from './program.js';

const NUMBERS = 40;
/** Prints the numbers one by one, slowly enough to be killed in the middle of it, and leaves a mark when it is done. */
const COUNT = `for i in $(seq 1 ${NUMBERS}); do echo "number $i"; sleep 0.05; done; echo done >> mark; exit 3`;

const shell = (command: string, id: string): Line => ({ id, name: 'run_shell_command', args: { command } });
const begin = (place: Place, ...calls: readonly Line[]): Running =>
  place.start(['exec', '--yolo', '--events', '--session', 's1', JSON.stringify(calls)]);
const resume = (place: Place, ...more: readonly string[]): Running => {
  const running = place.start(['exec', '--resume', 's1', '--mode', 'yolo', ...more]);
  running.end();
  return running;
};

/** What has reached the spools of this place so far. */
function spooled(place: Place): string {
  const outputs = `${place.home}/outputs/s1`;
  const found = (directory: string): string =>
    readdirSync(directory, { withFileTypes: true })
      .map((entry) => {
        const path = `${directory}/${entry.name}`;
        if (entry.isDirectory()) return found(path);
        return entry.name === 'output' ? readFileSync(path, 'utf8') : '';
      })
      .join('');
  try {
    return found(outputs);
  } catch {
    return '';
  }
}

async function untilSpooled(place: Place, text: string): Promise<void> {
  for (let tries = 0; !spooled(place).includes(text); tries++) {
    if (tries > 500) throw new Error(`"${text}" never came; there is: ${spooled(place)}`);
    await sleep(10);
  }
}

async function kill(running: Running): Promise<void> {
  running.signal('SIGKILL');
  await running.ended();
}

const numbersIn = (output: unknown) =>
  Array.from(String(output).matchAll(/^number (\d+)$/gm), ([, digits]) => Number(digits));
const allNumbers = Array.from({ length: NUMBERS }, (_, index) => index + 1);

test('a command outlives kill -9 of the program, is found again, and every line arrives once [X5]', async ({
  place,
}) => {
  const first = begin(place, shell(COUNT, 'count'));
  await untilSpooled(place, 'number 5\n');
  await kill(first);
  const { lines } = await resume(place).ended();
  expect(lines).toMatchObject([{ callId: 'count', status: 'error', exitCode: 3 }]);
  expect(errorOf(lines[0]).type).toBe('command_failed');
  expect(numbersIn(lines[0]?.['output'])).toEqual(allNumbers);
  expect(place.read('mark')).toBe('done\n');
});

test('a command that ended while no process watched ran until its own end, not until it was found [X5] [J1]', async ({
  place,
}) => {
  const first = begin(place, shell('echo begun; sleep 0.3; echo over', 'short'));
  await untilSpooled(place, 'begun\n');
  await kill(first);
  await untilSpooled(place, 'over\n');
  // Longer than any start of the command takes on a busy machine.
  await sleep(6_000);
  const { lines } = await resume(place).ended();
  expect(lines).toMatchObject([{ callId: 'short', status: 'success' }]);
  expect(lines[0]?.['durationMs']).toBeGreaterThanOrEqual(300);
  expect(lines[0]?.['durationMs']).toBeLessThan(6_000);
  const { lines: stats } = await place.run(['stats', '--json']);
  expect(Object(stats[0]).all.medianMs).toBe(lines[0]?.['durationMs']);
});

test('a flood ends at the limit although the program that started it is dead, and is told as one [X1] [X5]', async ({
  place,
}) => {
  const env = { COUNTERSIGN_OUTPUT_BYTES_MAX: '2000000' };
  const flood = JSON.stringify([shell('echo begun; sleep 1; yes flood | head -c 20000000', 'flood')]);
  const first = place.start(['exec', '--yolo', '--session', 's1', flood], { env });
  await untilSpooled(place, 'begun\n');
  await kill(first);
  await untilSpooled(place, 'flood\n'.repeat(2_000));
  // It prints 20 MB in a fraction of this time.
  await sleep(500);
  const bytes = spooled(place).length;
  expect(bytes).toBeGreaterThanOrEqual(2_000_000);
  expect(bytes).toBeLessThan(2_000_512);
  const again = place.start(['exec', '--resume', 's1', '--mode', 'yolo'], { env });
  again.end();
  const { lines } = await again.ended();
  expect(lines).toMatchObject([{ callId: 'flood', status: 'error' }]);
  expect(errorOf(lines[0]).type).toBe('output_too_large');
  expect(lines[0]?.['output']).toContain('begun');
});

test('killed again and again, it is still the same command [X5]', async ({ place }) => {
  let running = begin(place, shell(COUNT, 'count'));
  for (const seen of [3, 10, 17]) {
    await untilSpooled(place, `number ${seen}\n`);
    await kill(running);
    running = resume(place);
  }
  const { lines } = await running.ended();
  expect(numbersIn(lines[0]?.['output'])).toEqual(allNumbers);
  expect(place.read('mark')).toBe('done\n');
});

test('a command that ended while no one looked delivers its exit code and output, once [X5]', async ({
  place,
}) => {
  const first = begin(place, shell('echo begun; sleep 0.3; echo over; exit 7', 'short'));
  await untilSpooled(place, 'begun\n');
  await kill(first);
  await untilSpooled(place, 'over\n');
  await sleep(200);
  const { lines } = await resume(place).ended();
  expect(lines).toMatchObject([{ callId: 'short', status: 'error', exitCode: 7 }]);
  expect(lines[0]?.['output']).toContain('begun\nover\n');
  expect((await resume(place).ended()).lines).toEqual([]);
});

test('a resumed call can be cancelled, and none of its processes remain [X5, X3, L5]', async ({ place }) => {
  const seconds = `300.${process.pid}`;
  const first = begin(place, shell(`echo begun; sleep ${seconds} & sleep ${seconds}`, 'long'));
  await untilSpooled(place, 'begun\n');
  await kill(first);
  const second = place.start(['exec', '--resume', 's1', '--mode', 'yolo', '--events']);
  await second.line({ type: 'live' }).catch(() => ({}));
  second.signal('SIGINT');
  const { lines } = await second.ended();
  const result = lines.find(({ callId, status }) => callId === 'long' && status !== undefined);
  expect(result).toMatchObject({ status: 'cancelled' });
  const left = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
      } catch {
        return false;
      }
    });
  expect(left).toEqual([]);
});
