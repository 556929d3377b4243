import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { root } from '../../../scripts/source/files.mjs';
import type { Place } from '../../cli/program.js';
import type { Result } from './compare.js';

type Side = 'client' | 'server';

const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const SUITE_MS_MAX = 200_000; // twenty times what one side takes on an idle machine
const SCENARIO_MS_MAX = 60_000; // the longest waits five seconds, to see a client come back

/** All that the suite has for this side. */
export async function scenariosOf(side: Side, place: Place): Promise<readonly string[]> {
  const { output } = await runSuite(place, ['list', `--${side}`]);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
}

/** Every scenario is a process of the suite and two of ours: as many at once as there are cores. */
export async function runClientScenarios(
  scenarios: readonly string[],
  place: Place,
): Promise<readonly Result[]> {
  const left = [...scenarios];
  const results: Result[] = [];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      results.push(...(await runClientScenario(name, place)));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

async function runClientScenario(name: string, place: Place): Promise<readonly Result[]> {
  const directory = join(place.directory, 'results', name.replaceAll('/', '-'));
  // The suite gives this to a shell.
  const command = [process.execPath, own('client.mjs')].map((word) => `'${word}'`).join(' ');
  const { code, output } = await runSuite(place, [
    ...['client', '--command', command, '--scenario', name],
    ...['--timeout', String(SCENARIO_MS_MAX), '-o', directory],
  ]);
  const result = resultsIn(directory).find(({ scenario }) => scenario === name);
  if (result === undefined) return [];
  // No check failed, but the client took too long, ended with an error, or was warned.
  if (code !== 0 && result.failed.length === 0)
    return [{ ...result, failed: ['overall'], details: [output.slice(-2_000)] }];
  return [result];
}

/** One after the other, by one process of the suite. */
export async function runServerScenarios(url: string, place: Place): Promise<readonly Result[]> {
  const directory = join(place.directory, 'results');
  await runSuite(place, ['server', '--url', url, '--suite', 'all', '-o', directory]);
  return resultsIn(directory).map((each) => ({ ...each, scenario: each.scenario.replace(/^server-/, '') }));
}

async function runSuite(
  place: Place,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['--import', own('supply-glob.mjs'), SUITE, ...args], {
    cwd: place.workspace,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SUITE_MS_MAX,
  });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, output: (await out) + (await err) };
}

const Checks = z.array(
  z.object({ id: z.string(), status: z.string(), name: z.string(), errorMessage: z.string().optional() }),
);

/** The time at the end of a directory's name. */
const STAMP = /-\d{4}-\d\d-\d\dT[\dZ-]+$/;

/** Each scenario has a directory, with the time in its name; those of a group are in one more. */
function resultsIn(directory: string, group = ''): readonly Result[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = join(directory, name);
      const file = join(path, 'checks.json');
      if (!existsSync(file)) return resultsIn(path, `${group}${name}/`);
      const checks = Checks.parse(JSON.parse(readFileSync(file, 'utf8')));
      return [resultOf(group + name.replace(STAMP, ''), checks)];
    });
}

function resultOf(scenario: string, checks: z.infer<typeof Checks>): Result {
  if (checks.length === 0) return { scenario, failed: ['nothing was checked'], details: [] };
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  return {
    scenario,
    failed: [...new Set(failures.map(({ id }) => id))].toSorted(),
    details: failures.map(({ name, errorMessage = 'no message' }) => `  ${name}: ${errorMessage}`),
  };
}
