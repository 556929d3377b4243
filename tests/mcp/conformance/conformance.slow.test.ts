import { expect } from 'vitest';
import { test } from '../../cli/program.js';
import { differences, readKnown } from './compare.js';
import { serveForSuite } from './serve.js';
import { runClientScenarios, runServerScenarios, scenariosOf } from './suite.js';

const TEST_MS_MAX = 300_000;

test('as a client, the program fails the official conformance suite exactly where it is known to [M1]', {
  timeout: TEST_MS_MAX,
}, async ({ place }) => {
  const scenarios = await scenariosOf('client', place);
  const results = await runClientScenarios(scenarios, place);
  expect(differences(scenarios, results, readKnown().client)).toEqual([]);
});

test('as a server, the program fails the official conformance suite exactly where it is known to [M4]', {
  timeout: TEST_MS_MAX,
}, async ({ place }) => {
  const scenarios = await scenariosOf('server', place);
  const results = await runServerScenarios(await serveForSuite(place), place);
  expect(differences(scenarios, results, readKnown().server)).toEqual([]);
});
