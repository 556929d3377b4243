import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { failureOf } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { type WebServer, webServer } from '../web/testing/web-server.js';
import { UNTRUSTED_NOTE } from '../web/untrusted.js';
import { citedText } from './cited-text.js';
import { configuredSearch } from './configured-search.js';
import { geminiGrounding } from './gemini-grounding.js';
import { googleWebSearch } from './google-web-search.js';
import { searxng } from './searxng.js';

const never = new AbortController().signal;

let server: WebServer;
let answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
beforeEach(async () => {
  server = await webServer((request, response) => void answer(request, response));
});
afterEach(() => server.close());

const answering = (body: unknown, status = 200) => {
  answer = (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const gemini = () =>
  geminiGrounding({ base: new URL(server.url('/')), apiKey: 'the-key', model: 'gemini-test' });
const instance = (path = '') => searxng(new URL(server.url(path)));

describe('the tool', () => {
  const found = {
    answer: 'It is so [1].',
    results: [
      { title: 'A\npage', url: 'https://example.org/a', snippet: 'says  so' },
      { title: '', url: 'https://example.org/b', snippet: '' },
    ],
  };
  const tool = (searched = found as typeof found | { answer: null; results: [] }) =>
    googleWebSearch({ host: 'search.example', search: () => Promise.resolve(searched) });
  const carry = (given = tool()) => carryOut(given, { query: 'is it so' }, { workspace: '/' });

  test('names the host that receives the query, and has an alias [T1] [T3]', async () => {
    expect((await carry()).draft).toEqual({
      title: 'Search the web for "is it so"',
      resources: [{ kind: 'net', host: 'search.example', access: 'read' }],
      repeat: 'safe',
      confirmation: { type: 'info', title: 'Search the web for "is it so"', prompt: 'is it so', urls: [] },
    });
    expect(tool().aliases).toEqual([{ name: 'web_search' }]);
  });

  test('gives the answer and its sources as text of others [T3]', async () => {
    expect((await carry()).result).toEqual({
      llmContent: `${UNTRUSTED_NOTE}\n\n<untrusted_context>\nIt is so [1].\n\nSources:\n1. A page: https://example.org/a\n   says so\n2. https://example.org/b\n</untrusted_context>`,
      returnDisplay: 'Searched the web for "is it so": an answer and 2 pages',
    });
  });

  test('reports that nothing was found [T3]', async () => {
    expect((await carry(tool({ answer: null, results: [] }))).result.llmContent).toBe(
      'Nothing was found for "is it so". Try another query.',
    );
  });

  test('does not search for nothing [L3]', () => {
    expect(tool().check({ query: ' \n' })).toEqual({
      ok: false,
      problems: ['"query" is empty; give the text to search for'],
    });
  });

  test('is there only if a service is configured, a person’s own first [T3]', () => {
    const own = new URL('http://localhost:8888');
    const google = { base: new URL('https://example.org'), apiKey: 'k', model: 'm' };
    expect(configuredSearch({ searxng: null, gemini: null })).toBeNull();
    expect(configuredSearch({ searxng: null, gemini: google })?.host).toBe('example.org');
    expect(configuredSearch({ searxng: own, gemini: google })?.host).toBe('localhost:8888');
  });
});

describe('SearXNG', () => {
  test('is asked for JSON, wherever it is installed [T3]', async () => {
    answering({
      results: [
        { url: 'https://example.org/', title: 'T', content: 'C', score: 1 },
        { url: 'https://example.net/' },
      ],
      answers: [{ answer: '42', url: 'https://example.org/' }],
    });
    expect(await instance('/sub/').search('a & b', never)).toEqual({
      answer: '42',
      results: [
        { title: 'T', url: 'https://example.org/', snippet: 'C' },
        { title: '', url: 'https://example.net/', snippet: '' },
      ],
    });
    expect(server.asked).toEqual(['/sub/search?q=a+%26+b&format=json']);
  });

  test('gives its first ten results, with an answer of the older kind [T3]', async () => {
    const results = Array.from({ length: 30 }, (_, index) => ({ url: `https://example.org/${index}` }));
    answering({ results, answers: ['yes'] });
    const found = await instance().search('x', never);
    expect([found.answer, found.results.length]).toEqual(['yes', 10]);
  });

  test('without JSON among its formats, fails with how to fix that [T3]', async () => {
    answering({}, 403);
    expect(await failureOf(instance().search('x', never))).toMatchObject({
      problem: 'it responded with 403; its settings.yml must list json in search.formats',
    });
  });

  test('that answers anything else is named, without the query or a password [T3]', async () => {
    const url = server.url('/search');
    const { search } = searxng(new URL(server.url('/').replace('://', '://ada:pw@')));
    answer = (_, response) => void response.end('<html>');
    expect(await failureOf(search('q', never))).toMatchObject({
      url,
      problem: 'its response is not JSON',
    });
    answering({ error: 'x' });
    expect(await failureOf(search('q', never))).toMatchObject({
      problem: 'its response has no search results',
    });
    answering({}, 429);
    expect(await failureOf(search('q', never))).toMatchObject({ code: 'server_busy', url, status: 429 });
    answer = (_, response) => void response.destroy();
    expect((await failureOf(search('q', never))).code).toBe('network');
  });
});

describe('Gemini', () => {
  test('is asked with a key that is looked up for each search, and for nothing else [T3] [G1]', async () => {
    let lookedUp = 0;
    const apiKey = () => Promise.resolve(`key-${(lookedUp += 1)}`);
    const { search, host } = geminiGrounding({
      base: new URL(server.url('/')),
      apiKey,
      model: 'gemini-test',
    });
    const keys: unknown[] = [];
    answer = (request, response) => {
      keys.push(request.headers['x-goog-api-key']);
      response.end(JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Yes.' }] } }] }));
    };
    expect([host, lookedUp]).toEqual([new URL(server.url('/')).host, 0]);
    await search('a', never);
    await search('b', never);
    expect(keys).toEqual(['key-1', 'key-2']);
  });

  test('is asked with the key in a header, and to search [T3]', async () => {
    const seen: unknown[] = [];
    answer = async (request, response) => {
      seen.push(
        request.method,
        request.url,
        request.headers['x-goog-api-key'],
        JSON.parse(await text(request)),
      );
      response.end(JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Yes.' }] } }] }));
    };
    expect(await gemini().search('is it so', never)).toEqual({ answer: 'Yes.', results: [] });
    expect(seen).toEqual([
      'POST',
      '/v1beta/models/gemini-test:generateContent',
      'the-key',
      { contents: [{ role: 'user', parts: [{ text: 'is it so' }] }], tools: [{ googleSearch: {} }] },
    ]);
  });

  test('cites the source of each part, counted in bytes of that part [T3]', async () => {
    const [first, second] = ['Größe: 5 € 🙂.', ' Ende.'];
    answering({
      candidates: [
        {
          content: { parts: [{ text: 'Hm', thought: true }, { text: first }, { text: second }] },
          groundingMetadata: {
            groundingChunks: [
              { web: { uri: 'https://a.example/', title: 'a.example' } },
              { retrievedContext: {} },
              { web: { uri: 'https://b.example/' } },
            ],
            groundingSupports: [
              {
                segment: { partIndex: 1, endIndex: Buffer.byteLength(first) },
                groundingChunkIndices: [2, 0],
              },
              {
                segment: { partIndex: 1, endIndex: Buffer.byteLength('Größe') },
                groundingChunkIndices: [0, 1, 9],
              },
              { segment: { partIndex: 2, endIndex: 999 }, groundingChunkIndices: [2] },
              { segment: {} },
            ],
          },
        },
      ],
    });
    expect(await gemini().search('x', never)).toEqual({
      answer: 'Größe[1]: 5 € 🙂.[2][1] Ende.[2]',
      results: [
        { title: 'a.example', url: 'https://a.example/', snippet: '' },
        { title: '', url: 'https://b.example/', snippet: '' },
      ],
    });
  });

  test('that gives no answer, or refuses the key, is named [T3]', async () => {
    const url = server.url('/v1beta/models/gemini-test:generateContent');
    answering({ promptFeedback: { blockReason: 'SAFETY' } });
    expect(await failureOf(gemini().search('x', never))).toEqual({
      code: 'fetch_failed',
      url,
      problem: 'the model returned no answer to this query',
    });
    answering({ error: {} }, 400);
    const refused = { code: 'http_status', url, status: 400, meaning: 'Bad Request' };
    expect(await failureOf(gemini().search('x', never))).toEqual(refused);
    answering({}, 503);
    expect((await failureOf(gemini().search('x', never))).code).toBe('server_busy');
  });
});

test('a citation never breaks a character, nor stands twice', () => {
  const citations = [
    { endByte: 2, numbers: [1] },
    { endByte: 3, numbers: [1, 2] },
    { endByte: -5, numbers: [3] },
  ];
  expect(citedText('é€x', citations)).toBe('[3]é[1]€[1][2]x');
});

test('a search that is stopped ends at once', async () => {
  answer = () => {};
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 30);
  expect(await failureOf(gemini().search('x', stop.signal))).toMatchObject({
    problem: 'it was stopped before it finished',
  });
});
