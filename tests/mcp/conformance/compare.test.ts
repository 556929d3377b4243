import { expect, test } from 'vitest';
import { differences, type Known, type Result, readKnown } from './compare.js';

const scenarios = ['ping', 'tools-call', 'prompts-list'];
const known: Known = { 'prompts-list': ['prompts-list', 'prompts-shape'] };
const passed = (scenario: string): Result => ({ scenario, failed: [], details: [] });
const failing = (scenario: string, ...failed: readonly string[]): Result => ({
  scenario,
  failed,
  details: [`  ${scenario}: not as it should be`],
});
const asKnown = [
  passed('ping'),
  passed('tools-call'),
  failing('prompts-list', 'prompts-list', 'prompts-shape'),
];

const withResult = (result: Result) =>
  asKnown.map((each) => (each.scenario === result.scenario ? result : each));

test('a run that fails exactly where it is known to differs in nothing [M1] [M4]', () => {
  expect(differences(scenarios, asKnown, known)).toEqual([]);
});

test.each([
  [
    'a new failure',
    differences(scenarios, withResult(failing('ping', 'ping-answer')), known),
    'ping: fails at ping-answer.\n  ping: not as it should be',
  ],
  [
    'a new failure in a scenario that is known to fail elsewhere',
    differences(
      scenarios,
      withResult(failing('prompts-list', 'prompts-list', 'prompts-shape', 'prompts-names')),
      known,
    ),
    'prompts-list: fails at prompts-names.\n  prompts-list: not as it should be',
  ],
  [
    'a failure that was fixed',
    differences(scenarios, withResult(failing('prompts-list', 'prompts-list')), known),
    'prompts-list: no longer fails at prompts-shape. Remove that from known.json.',
  ],
  [
    'a known failure of no scenario',
    differences(scenarios, asKnown, { ...known, 'prompts-lost': ['lost'] }),
    'prompts-lost: the suite has no such scenario. Remove it from known.json.',
  ],
  [
    'a scenario without a result',
    differences(
      scenarios,
      asKnown.filter(({ scenario }) => scenario !== 'ping'),
      known,
    ),
    'ping: gave no result.',
  ],
  [
    'a known failure without a result',
    differences(scenarios, asKnown.slice(0, 2), known),
    'prompts-list: gave no result.',
  ],
  [
    'a failure that the suite did not announce',
    differences(scenarios, [...asKnown, failing('pong', 'pong-answer')], known),
    'pong: fails at pong-answer.\n  pong: not as it should be',
  ],
  ['a suite without scenarios', differences([], [], {}), 'The suite names no scenario: nothing was run.'],
])('%s is a difference, and shown [M1] [M4]', (_, found, expected) => {
  expect(found).toEqual([expected]);
});

test('no known failure of the conformance suite is of calling tools [M1] [M4]', () => {
  const { client, server } = readKnown();
  const allowed =
    /^(auth\/|completion|elicitation|logging|prompts|resources|tools-call-(elicitation|sampling|with-logging)$)/;
  for (const scenario of [...Object.keys(client), ...Object.keys(server)]) expect(scenario).toMatch(allowed);
  expect(Object.keys(client).every((scenario) => scenario.startsWith('auth/'))).toBe(true);
});
