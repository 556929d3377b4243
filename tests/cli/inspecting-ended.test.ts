import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { FakeModel, says, text } from './headless-model.js';
import { script, userSettings } from './hook-settings.js';
import { test } from './program.js';

const isAlive = (pid: number): boolean => {
  try {
    // A process that ended may not have been waited for yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

for (const command of ['mcp list', 'doctor'])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    test(`${command} ends the servers that it started on ${signal} [X3] [M2]`, async ({ place }) => {
      // A server that neither answers nor ends when its input is closed.
      script(place, 'silent.sh', '#!/bin/sh\necho $$ > pid\nexec sleep 97\n');
      userSettings(place, { mcpServers: { silent: { command: `${place.workspace}/silent.sh` } } });
      const running = place.start(command.split(' '), { env: { OLLAMA_HOST: '127.0.0.1:1' } });
      await expect.poll(() => place.has('pid') && place.read('pid'), { timeout: 20_000 }).toMatch(/^\d+\n$/);
      const pid = Number(place.read('pid'));
      running.signal(signal);
      expect(await running.ended()).toMatchObject({ code: 130, signal: null });
      expect(isAlive(pid)).toBe(false);
    });

test('lines of JSON have no raw control character in a pipe, and say the same [A7] [C2]', async ({
  place,
}) => {
  const words = 'a\u009b31m\u007f\u0085b\u001b[2J';
  const model = await FakeModel.start(says(text(words)));
  const { stdout, lines } = await model.run(place, ['-p', 'go', '-o', 'stream-json']);
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  expect(lines).toContainEqual(expect.objectContaining({ role: 'assistant', content: words }));
});
