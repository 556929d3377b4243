import { explain } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { afterEach, expect, test } from 'vitest';
import { answers, WireServer } from '../testing/wire-server.js';
import { chooseModel, type ModelPreferences } from './choose-model.js';
import { openModel } from './open-model.js';

let server: WireServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});
const never = new AbortController().signal;
/** Nothing listens there. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' };
const GEMINI = { GEMINI_API_KEY: 'g' };
const CLAUDE = { ANTHROPIC_API_KEY: 'a' };
const OPENAI = { OPENAI_API_KEY: 'o' };

function choose(
  environment: ModelPreferences['environment'],
  flag: string | null = null,
  model: string | null = null,
) {
  return chooseModel({ flag, settings: { model }, environment: { ...NO_OLLAMA, ...environment } }, never);
}

async function choiceOf(...options: Parameters<typeof choose>) {
  const chosen = await choose(...options);
  if (!chosen.ok) throw new Error(explain(chosen.failure).message);
  return chosen.choice;
}

async function refusalOf(...options: Parameters<typeof choose>) {
  const chosen = await choose(...options);
  if (chosen.ok) throw new Error(`${chosen.choice.provider} was chosen`);
  const { message, hint } = explain(chosen.failure);
  return `${message} ${hint}`;
}

async function ollamaWith(...names: readonly string[]) {
  server = await WireServer.start(answers(200, JSON.stringify({ models: names.map((name) => ({ name })) })));
  return { OLLAMA_HOST: server.url };
}

test.each([
  [{ ...GEMINI, ...CLAUDE, ...OPENAI }, 'gemini', 'GEMINI_API_KEY is set'],
  [{ GOOGLE_API_KEY: 'g', ...CLAUDE }, 'gemini', 'GOOGLE_API_KEY is set'],
  [{ ...CLAUDE, ...OPENAI }, 'anthropic', 'ANTHROPIC_API_KEY is set'],
  [OPENAI, 'openai', 'OPENAI_API_KEY is set'],
  [{ GEMINI_API_KEY: ' ', ...OPENAI }, 'openai', 'OPENAI_API_KEY is set'],
  [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:2', ...OPENAI }, 'openai', 'OPENAI_API_KEY is set'],
])('of the keys %j the first in order decides: %s [G1]', async (environment, provider, why) => {
  expect(await choiceOf(environment)).toMatchObject({ provider, why });
});

test.each([
  ['gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
  ['models/gemini-2.5-pro', 'gemini', 'models/gemini-2.5-pro'],
  ['claude-opus-5-5', 'anthropic', 'claude-opus-5-5'],
  ['gpt-5.1', 'openai', 'gpt-5.1'],
  ['o3', 'openai', 'o3'],
  ['openai:gemini-9', 'openai', 'gemini-9'],
  ['anthropic:', 'anthropic', 'claude-sonnet-5-5'],
  ['some-new-name', 'gemini', 'some-new-name'],
])('with all keys set, -m %s goes to %s [G1]', async (flag, provider, model) => {
  const choice = await choiceOf({ ...GEMINI, ...CLAUDE, ...OPENAI }, flag);
  expect(choice).toMatchObject({ provider, model, why: 'it was given with -m' });
});

test('the flag is stronger than the environment, and that than the settings [G1]', async () => {
  const all = { ...GEMINI, ...CLAUDE, ...OPENAI, COUNTERSIGN_MODEL: 'claude-a' };
  expect(await choiceOf(all, 'gpt-b', 'gemini-c')).toMatchObject({ model: 'gpt-b' });
  expect(await choiceOf(all, null, 'gemini-c')).toMatchObject({
    model: 'claude-a',
    why: 'it is set in COUNTERSIGN_MODEL',
  });
  const { COUNTERSIGN_MODEL: _, ...keys } = all;
  expect(await choiceOf(keys, null, 'gpt-c')).toMatchObject({
    model: 'gpt-c',
    why: 'it is set in the settings',
  });
});

test('addresses and keys come from the environment, without blanks around them [G1]', async () => {
  const environment = {
    GEMINI_API_KEY: ' g\n',
    GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:2',
    GEMINI_MODEL: 'gemini-x',
  };
  expect(await choiceOf(environment)).toMatchObject({
    baseUrl: 'http://127.0.0.1:2',
    credential: { value: 'g', from: 'GEMINI_API_KEY' },
    model: 'gemini-x',
  });
});

test('a server that supports the OpenAI protocol needs no key, and lists its own models [G1]', async () => {
  server = await WireServer.start(answers(200, '{"data":[{"id":"nomic-embed-text"},{"id":"qwen3-coder"}]}'));
  const baseUrl = `${server.url}/v1`;
  expect(await choiceOf({ OPENAI_BASE_URL: baseUrl })).toMatchObject({
    provider: 'openai',
    model: 'qwen3-coder',
    baseUrl,
    credential: null,
  });
  expect(server.received[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
});

test('a server of that kind gets the models whose makers are not set up, and those without a maker [G1]', async () => {
  const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:2/v1', ...GEMINI };
  expect(await choiceOf(environment, 'claude-opus-5-5')).toMatchObject({ provider: 'openai' });
  expect(await choiceOf(environment, 'google/gemini-3')).toMatchObject({ provider: 'openai' });
  expect(await choiceOf(environment, 'gemini-3.8-flash')).toMatchObject({ provider: 'gemini' });
});

test('a server that does not list its models is a configuration problem [G1]', async () => {
  expect(await refusalOf({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toContain('OPENAI_MODEL');
});

test('Ollama is found on its own where nothing else is configured [G1]', async () => {
  const environment = await ollamaWith('nomic-embed-text:latest', 'qwen3:8b');
  expect(await choiceOf(environment)).toMatchObject({
    provider: 'ollama',
    model: 'qwen3:8b',
    baseUrl: `${server?.url}/v1`,
    credential: null,
  });
  expect(server?.received[0]).toMatchObject({ method: 'GET', path: '/api/tags' });
});

test('Ollama is not asked where a key decides [G1]', async () => {
  await choiceOf({ ...(await ollamaWith('qwen3:8b')), ...GEMINI });
  expect(server?.received).toEqual([]);
});

test.each([
  ['qwen3:8b', 'qwen3:8b'],
  ['llama3.2', 'llama3.2:latest'],
  ['gpt-oss:20b', 'gpt-oss:20b'],
  ['ollama:not-pulled', 'not-pulled'],
])('a model of Ollama is found by its name, also beside keys: -m %s [G1]', async (flag, model) => {
  const environment = await ollamaWith('qwen3:8b', 'llama3.2:latest', 'gpt-oss:20b');
  expect(await choiceOf({ ...environment, ...GEMINI, ...OPENAI }, flag)).toMatchObject({
    provider: 'ollama',
    model,
  });
});

test('a server that accepts and does not answer is not waited for long [G1]', async () => {
  server = await WireServer.start(() => {});
  const elapsedMs = stopwatch();
  expect(await refusalOf({ OLLAMA_HOST: server.url })).toContain('No model is configured');
  expect(elapsedMs()).toBeLessThan(3_000);
});

test.each([
  [
    'nothing at all',
    {},
    null,
    'No model is configured. Set GEMINI_API_KEY or ANTHROPIC_API_KEY or OPENAI_API_KEY',
  ],
  [
    'a model without its key',
    GEMINI,
    'claude-opus-5-5',
    'Set ANTHROPIC_API_KEY, or choose another model with -m.',
  ],
  ['a provider without its key', GEMINI, 'openai:', 'Set OPENAI_API_KEY'],
  ['an unknown name', {}, 'qwen3', 'No provider of the model "qwen3" is configured'],
])('%s is reported in one line that says what to set [G1, G4]', async (_, environment, flag, words) => {
  const text = await refusalOf(environment, flag);
  expect(text).toContain(words);
  expect(text).not.toContain('\n');
});

test('an Ollama without models is reported as such [G1]', async () => {
  expect(await refusalOf(await ollamaWith())).toContain('ollama pull');
});

test('the chosen model can be opened, under its public name [G1]', async () => {
  const names: string[] = [];
  const openAiLike = { OPENAI_BASE_URL: 'http://127.0.0.1:2/v1', OPENAI_MODEL: 'm' };
  for (const environment of [GEMINI, CLAUDE, OPENAI, openAiLike]) {
    names.push((await openModel(await choiceOf(environment))).name);
  }
  names.push((await openModel(await choiceOf(await ollamaWith('m')))).name);
  expect(names).toEqual(['Gemini', 'Anthropic', 'OpenAI', '127.0.0.1:2', 'Ollama']);
});

test('a name with an unknown provider is refused with the known ones [G1]', async () => {
  for (const environment of [GEMINI, OPENAI, await ollamaWith('qwen3:8b')])
    expect(await refusalOf(environment, 'nope:foo')).toMatch(
      /"nope" is not a provider.*gemini, anthropic, openai and ollama/,
    );
  expect(await choiceOf(OPENAI, 'ft:gpt-4o:me')).toMatchObject({ provider: 'openai', model: 'ft:gpt-4o:me' });
});
