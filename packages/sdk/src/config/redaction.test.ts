import type { JsonObject } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { redactArgs } from './redaction.js';

const HIDDEN = '[redacted]';

test('values under keys that look secret are hidden, however the key is spelled [O1]', () => {
  const keys = [
    ...['password', 'userPassword', 'PASSWD', 'pwd', 'passphrase', 'client_secret', 'secrets'],
    ...['token', 'accessToken', 'refresh-token', 'tokens', 'api_key', 'X-API-Key', 'apiKey'],
    ...['authorization', 'auth', 'private_key', 'AWS_SECRET_ACCESS_KEY', 'credentials', 'Set-Cookie'],
  ];
  const args = Object.fromEntries(keys.map((key) => [key, 'visible']));
  expect(redactArgs(args)).toEqual(Object.fromEntries(keys.map((key) => [key, HIDDEN])));
});

test('ordinary arguments stay as they are [O1]', () => {
  const args = {
    file_path: 'src/password.ts',
    max_tokens: 100,
    tokenizer: 'bpe',
    author: 'ann',
    key: 'Enter',
    nested: [{ pattern: 'TODO' }, null, true],
  };
  expect(redactArgs(args)).toEqual(args);
});

test('secrets are found at every depth, with all that lies beneath them [O1]', () => {
  expect(redactArgs({ env: [{ DB_PASSWORD: 1234 }], auth: { user: 'ann', pass: 'x' } })).toEqual({
    env: [{ DB_PASSWORD: HIDDEN }],
    auth: HIDDEN,
  });
  expect(
    redactArgs({
      headers: [
        { name: 'Authorization', value: 'Bearer x' },
        { name: 'Accept', value: '*' },
      ],
    }),
  ).toEqual({
    headers: [
      { name: 'Authorization', value: HIDDEN },
      { name: 'Accept', value: '*' },
    ],
  });
});

test("an embedder's rule hides more, never less [O1]", () => {
  const args = { note: 'private', token: 't', list: [{ deep: 'me' }], other: 'seen' };
  const paths: string[] = [];
  const redacted = redactArgs(args, (key, _value, path) => {
    paths.push(path.join('.'));
    return key === 'note' || path.join('.') === 'list.0.deep';
  });
  expect(redacted).toEqual({ note: HIDDEN, token: HIDDEN, list: [{ deep: HIDDEN }], other: 'seen' });
  expect(paths).not.toContain('token');
});

test('a rule that throws leaves the value hidden [O1]', () => {
  const rule = () => {
    throw new Error('confused');
  };
  expect(redactArgs({ a: 1 }, rule)).toEqual({ a: HIDDEN });
});

test('arguments nested without end neither overflow nor leak [O1]', () => {
  let args: JsonObject = { password: 'deep secret' };
  for (let depth = 0; depth < 20_000; depth++) args = { in: args };
  const text = JSON.stringify(redactArgs(args));
  expect(text).toContain(HIDDEN);
  expect(text).not.toContain('deep secret');
});

test('the arguments themselves are left alone', () => {
  const args = { token: 't', list: [{ secret: 's' }] };
  redactArgs(args);
  expect(args).toEqual({ token: 't', list: [{ secret: 's' }] });
});
