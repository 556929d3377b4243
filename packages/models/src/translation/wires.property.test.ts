import type { Json, JsonObject } from '@countersign/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestBody as anthropicBody } from '../anthropic/request-body.js';
import { listOf, objectOf, parseJson, textOf } from '../http/read-json.js';
import { requestBody as openAiBody } from '../openai/request-body.js';
import type { Content, Part } from '../provider.js';
import { requestOf } from '../testing/collect-events.js';
import { WireNames } from './wire-names.js';

const ORIGINS = { anthropic: 'anthropic here', openai: 'openai here/v1' };

const origin = fc.constantFrom(ORIGINS.anthropic, ORIGINS.openai, 'elsewhere');
const words = fc.oneof(fc.constantFrom('', ' ', '\n\t'), fc.string({ unit: 'grapheme' }));
/** Few of each, so that they meet. */
const name = fc.constantFrom('read_file', 'mcp.server:tool', '', 'x'.repeat(100), 'zwei wörter');
const id = fc.constantFrom(
  '',
  '0',
  'call_1',
  'call00001',
  'read_file-1760000000000-abcdef0123456789012345',
  'a b',
);
const identity = fc.record({ name, id }, { requiredKeys: [] });
const args = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), fc.constant(null));
const mimeType = fc.constantFrom(
  'image/png',
  'image/svg+xml',
  'audio/wav',
  'application/pdf',
  'text/plain',
  'x/y',
);
const media = fc.oneof(
  fc.record({ inlineData: fc.record({ mimeType, data: fc.constantFrom('AAAA', 'IA==') }) }),
  fc.record({
    fileData: fc.record({ mimeType, fileUri: fc.constantFrom('https://a/b', 'http://a/b', 'gs://a/b') }),
  }),
);
/** What is generated is JSON, which its types do not say. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
const part: fc.Arbitrary<Json> = fc
  .oneof(
    fc.record({ text: words }),
    fc.record({ text: words, thought: fc.constant(true), thoughtSignature: fc.constantFrom('', 'c2ln') }),
    fc.record({
      text: words,
      thought: fc.constant(true),
      thoughtSignature: fc.constantFrom('', 'c2ln'),
      wire: fc.record({ origin, field: fc.constant('reasoning') }),
    }),
    fc.record({ wire: fc.record({ origin, block: fc.constant({ type: 'redacted_thinking', data: 'x' }) }) }),
    fc.record({ functionCall: fc.tuple(identity, args).map(([who, given]) => ({ ...who, args: given })) }),
    fc.record({
      functionResponse: fc
        .tuple(identity, words, fc.boolean(), fc.array(media, { maxLength: 1 }))
        .map(([who, text, failed, parts]) => ({
          ...who,
          response: failed ? { error: text } : { output: text },
          parts,
        })),
    }),
    media,
    fc.constantFrom({}, { executableCode: { code: '1' } }),
  )
  .map(asJson);
const contents: fc.Arbitrary<readonly Content[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'model' as const),
    parts: fc.array(part, { maxLength: 5 }).map((parts) => parts.map((one): Part => objectOf(one) ?? {})),
  }),
  { maxLength: 8 },
);

const declarations = [
  { name: 'read_file', description: '', parametersJsonSchema: {} },
  { name: 'mcp.server:tool', description: '', parametersJsonSchema: { anyOf: [{ properties: { a: {} } }] } },
];
const anyRequest = fc.record({ contents, declarations: fc.constantFrom([], declarations) }).map(requestOf);

const sent = (body: JsonObject): JsonObject => objectOf(parseJson(JSON.stringify(body))) ?? {};
const toAnthropic = (request: ReturnType<typeof requestOf>) =>
  sent(
    anthropicBody(request, {
      origin: ORIGINS.anthropic,
      names: new WireNames(request.declarations),
      maxOutputTokens: 1,
      conceded: new Set(),
    }),
  );
const toOpenAi = (request: ReturnType<typeof requestOf>) =>
  sent(
    openAiBody(request, {
      origin: ORIGINS.openai,
      names: new WireNames(request.declarations),
      conceded: new Set(),
    }),
  );

describe('any history makes a request that the wire accepts [G1]', () => {
  test('Anthropic', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(anthropicProblems(toAnthropic(request))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('OpenAI', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(openAiProblems(toOpenAi(request))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

test('nothing that was said or returned is lost on either wire [G1]', () => {
  const texts = (request: ReturnType<typeof requestOf>) =>
    request.contents.flatMap(({ parts }) =>
      parts.flatMap((one) => {
        if (one.thought === true) return [];
        const response = objectOf(objectOf(one.functionResponse)?.response);
        return [one.text, response?.output, response?.error].flatMap((text) => textOf(text)?.trim() || []);
      }),
    );
  fc.assert(
    fc.property(anyRequest, (request) => {
      const bodies = [toAnthropic(request), toOpenAi(request)].map((body) => stringsIn(body).join('\n'));
      for (const text of texts(request)) for (const body of bodies) expect(body).toContain(text);
    }),
  );
});

const stringsIn = (value: Json): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

// The rules of each wire, from its documents and the errors that its servers are known for; independent of our own code.

const isObject = (value: Json | undefined): value is JsonObject => objectOf(value) !== undefined;
const objects = (value: Json | undefined) => listOf(value).filter(isObject);
const isBlank = (value: Json | undefined) => typeof value !== 'string' || value.trim() === '';
const repeated = <T>(values: readonly T[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

function anthropicProblems(body: JsonObject): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => holds || problems.push(problem);
  const messages = objects(body.messages);
  check(messages.length > 0, 'no messages');
  check(messages.at(-1)?.role === 'user', 'the last message is not the user’s');
  const ids: Json[] = [];
  messages.forEach((message, index) => {
    check(message.role === (index % 2 === 0 ? 'user' : 'assistant'), `message ${index} has the wrong role`);
    const blocks = objects(message.content);
    check(blocks.length > 0, `message ${index} is empty`);
    const before = objects(messages[index - 1]?.content).filter(({ type }) => type === 'tool_use');
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const wanted = message.role === 'user' ? before.map((use) => use.id) : [];
    check(
      JSON.stringify(results.map((result) => result.tool_use_id)) === JSON.stringify(wanted),
      `message ${index} has results other than the calls before it want`,
    );
    check(
      blocks.slice(0, results.length).every(({ type }) => type === 'tool_result'),
      `message ${index} has results after other blocks`,
    );
    for (const block of [...blocks, ...results.flatMap((result) => objects(result.content))]) {
      checkBlock(block, message.role === 'user');
      if (block.type === 'tool_use') ids.push(block.id ?? null);
    }
  });
  check(repeated(ids).length === 0, 'two calls have one id');
  check(ids.length === 0 || objects(body.tools).length > 0, 'calls without declared functions');
  checkNames(objects(body.tools).map((tool) => tool.name));
  for (const tool of objects(body.tools))
    check(objectOf(tool.input_schema)?.type === 'object', 'schema of no object');
  check(JSON.stringify(body).split('"cache_control"').length - 1 <= 4, 'too many marks for the cache');
  return problems;

  function checkBlock(block: JsonObject, isUsers: boolean): void {
    const { type, text, id: used, name: called, input, signature, source, content } = block;
    const ofUser = ['text', 'image', 'document', 'tool_result'];
    const ofModel = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
    check((isUsers ? ofUser : ofModel).includes(String(type)), `${String(type)} is out of place`);
    if (type === 'text') check(!isBlank(text), 'blank text');
    if (type === 'thinking') check(!isBlank(signature), 'an unsigned thought');
    if (type === 'tool_result') {
      check(objects(content).length > 0, 'an empty result');
      const isText = objects(content).every((inner) => inner.type === 'text');
      check(block.is_error === undefined || isText, 'a failure with more than text');
    }
    if (type === 'image') {
      const { type: kind, media_type, url } = objectOf(source) ?? {};
      const accepted = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
      check(
        kind === 'url' ? String(url).startsWith('https:') : accepted.includes(String(media_type)),
        'a bad image',
      );
    }
    if (type !== 'tool_use') return;
    check(/^[a-zA-Z0-9_-]+$/.test(String(used)), 'a bad id');
    check(isObject(input), 'arguments that are no object');
    checkNames([called]);
  }

  function checkNames(names: readonly (Json | undefined)[]): void {
    for (const one of names) check(/^[a-zA-Z0-9_-]{1,128}$/.test(String(one)), `the bad name ${String(one)}`);
    check(repeated(names).length === 0, 'two functions have one name');
  }
}

function openAiProblems(body: JsonObject): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => holds || problems.push(problem);
  const messages = objects(body.messages);
  check(
    messages.some(({ role }) => role === 'user'),
    'nothing from the user',
  );
  check(messages.at(-1)?.role !== 'assistant', 'the last message is the assistant’s');
  let open: string[] = [];
  for (const message of messages) {
    const { role, content, tool_calls } = message;
    if (role === 'tool') {
      check(open.includes(String(message.tool_call_id)), 'a result without its call');
      check(!isBlank(content), 'a blank result');
      open = open.filter((one) => one !== message.tool_call_id);
      continue;
    }
    check(open.length === 0, 'a call without its result');
    if (role === 'assistant') {
      const calls = objects(tool_calls);
      check(tool_calls === undefined || calls.length > 0, 'an empty list of calls');
      check(content === null ? calls.length > 0 : !isBlank(content), 'an assistant who says nothing');
      for (const call of calls) checkCall(call);
      open = calls.map((call) => String(call.id));
      check(repeated(open).length === 0, 'two calls have one id');
    } else if (role === 'user') {
      const blocks = objects(content);
      check(blocks.length > 0 || !isBlank(content), 'a user who says nothing');
      for (const { type, text } of blocks) {
        check(['text', 'image_url', 'input_audio', 'file'].includes(String(type)), 'a bad block');
        if (type === 'text') check(typeof text === 'string', 'text without text');
      }
    } else check(role === 'system' && message === messages[0], 'a bad role');
  }
  check(open.length === 0, 'a call without its result');
  check(body.tools === undefined || objects(body.tools).length > 0, 'an empty list of functions');
  return problems;

  function checkCall({ id: used, type, function: called }: JsonObject): void {
    const { name: function_, arguments: given } = objectOf(called) ?? {};
    check(type === 'function', 'a call of no function');
    check(!isBlank(used) && String(used).length <= 40, 'a bad id');
    check(/^[a-zA-Z0-9_-]{1,64}$/.test(String(function_)), 'a bad name');
    check(isObject(parseJson(textOf(given) ?? '')), 'arguments that are no object');
  }
}
