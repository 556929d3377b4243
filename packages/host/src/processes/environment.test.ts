import { describe, expect, test } from 'vitest';
import { commandEnvironment, type HostEnvironment } from './environment.js';

const given = (host: HostEnvironment, pass: readonly string[] = []) =>
  commandEnvironment(host, { tag: 'tag-1', directory: '/ws', pass });

describe('no secret of the host reaches a command', () => {
  test.each([
    'OPENAI_API_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'NPM_CONFIG__AUTH',
    'npm_config__authToken',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SMTP_PASS',
    'GH_PAT',
    'SENTRY_DSN',
    'GPG_PASSPHRASE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AZURE_CLIENT_SECRET',
    'AZURE_STORAGE_CONNECTION_STRING',
    'DOCKER_AUTH_CONFIG',
    'PROXY_AUTHORIZATION',
    'SESSION_COOKIE',
    'SLACK_WEBHOOK_URL',
    'my_api_key',
  ])('by its name: %s [X4]', (name) => {
    expect(given({ [name]: 'x' })).not.toHaveProperty([name]);
  });

  test.each([
    ['an address with a password', 'postgres://app:hunter2@db/app'],
    ['an address with a password, amid others', 'a=1;amqps://:hunter2@mq:5671;b=2'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA'],
    ['a header', 'Authorization: Bearer abcdefgh12345678'],
    ['a token of GitHub', `ghp_${'a'.repeat(36)}`],
    ['a key of a model', `sk-${'a'.repeat(40)}`],
    ['a key of a cloud', 'AKIAABCDEFGHIJKLMNOP'],
    ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig'],
  ])('by its value: %s [X4]', (_, value) => {
    expect(given({ HARMLESS: value })).not.toHaveProperty('HARMLESS');
  });

  test('unless it was let through by name [X4]', () => {
    const host = { NPM_TOKEN: 'a', AWS_PROFILE_KEY: 'b', AWS_SECRET: 'c', OTHER_SECRET: 'd' };
    expect(given(host, ['NPM_TOKEN', 'AWS_*'])).toMatchObject({
      NPM_TOKEN: 'a',
      AWS_PROFILE_KEY: 'b',
      AWS_SECRET: 'c',
    });
    expect(given(host, ['NPM_TOKEN', 'AWS_*'])).not.toHaveProperty('OTHER_SECRET');
  });
});

test.each([
  ['HOME', '/home/ada'],
  ['PATH', '/usr/bin'],
  ['LANG', 'C.UTF-8'],
  ['GIT_AUTHOR_NAME', 'Ada'],
  ['GIT_COMMITTER_EMAIL', 'ada@example.org'],
  ['GIT_CONFIG_GLOBAL', '/home/ada/.gitconfig'],
  ['SSH_AUTH_SOCK', '/run/agent'],
  ['XAUTHORITY', '/home/ada/.Xauthority'],
  ['JAVA_HOME', '/opt/java'],
  ['GOPATH', '/home/ada/go'],
  ['HTTPS_PROXY', 'http://proxy:8080'],
  ['REPOSITORY', 'ssh://git@example.org/a.git'],
  ['NODE_ENV', 'test'],
])('%s is kept: it is no secret, and programs need it', (name, value) => {
  expect(given({ [name]: value })).toHaveProperty([name], value);
});

test.each([
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_CHANNEL_FD',
  'LD_PRELOAD',
  'VITEST_WORKER_ID',
  'npm_config_prefix',
  'npm_lifecycle_event',
  'BASH_ENV',
  'ENV',
  'BASH_FUNC_ls%%',
  'SHELLOPTS',
  'CDPATH',
  'POSIXLY_CORRECT',
  'FORCE_COLOR',
])('%s is not passed on: it was meant for this process, or would change what a command means', (name) => {
  expect(given({ [name]: 'x' })).not.toHaveProperty([name]);
});

test('nothing pages, colours, or asks', () => {
  expect(given({ PAGER: 'less', GIT_PAGER: 'delta', MANPAGER: 'less', TERM: 'xterm' })).toEqual({
    COUNTERSIGN: '1',
    GEMINI_CLI: '1',
    COUNTERSIGN_CALL: 'tag-1',
    PWD: '/ws',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_update_notifier: 'false',
    TERM: 'dumb',
    NO_COLOR: '1',
  });
});

test('settings that Git takes from numbered variables stay whole, less those that hold secrets', () => {
  const host = {
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'http.extraheader',
    GIT_CONFIG_VALUE_0: 'Authorization: Basic abcdefghijk',
    GIT_CONFIG_KEY_1: 'user.name',
    GIT_CONFIG_VALUE_1: 'Ada',
    GIT_CONFIG_KEY_2: 'url.https://x:hunter2@example.org/.insteadOf',
    GIT_CONFIG_VALUE_2: 'https://example.org/',
  };
  const { GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0, GIT_CONFIG_KEY_1 } = given(host);
  expect({ GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0, GIT_CONFIG_KEY_1 }).toEqual({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_VALUE_0: 'Ada',
    GIT_CONFIG_KEY_1: undefined,
  });
});

test('a call within a call carries the marks of both, so that each can end it [X3]', () => {
  expect(given({ COUNTERSIGN_CALL: 'outer' })['COUNTERSIGN_CALL']).toBe('outer tag-1');
});
