import { expect, test } from 'vitest';
import { ollamaBaseUrl } from './local-models.js';

test.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['[::]:8080', 'http://127.0.0.1:8080'],
  [':8080', 'http://127.0.0.1:8080'],
  ['box.local', 'http://box.local:11434'],
  ['box.local:1', 'http://box.local:1'],
  ['http://box.local:1/', 'http://box.local:1'],
  ['https://ollama.example', 'https://ollama.example'],
])('OLLAMA_HOST=%s means %s [G1]', (host, url) => {
  expect(ollamaBaseUrl(host)).toBe(url);
});
