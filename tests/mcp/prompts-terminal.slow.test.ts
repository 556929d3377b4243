import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { type Place, test } from '../cli/program.js';
import { inTui, KEYS, say, text } from '../tui/tui.js';

const EVERYTHING = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const withServers = (place: Place, more: object = {}) =>
  place.write(
    '../home/settings.json',
    JSON.stringify({
      mcpServers: { everything: { command: process.execPath, args: [EVERYTHING] }, ...more },
    }),
  );

test('a prompt of a public server is found by its name, reports missing arguments, and is sent [M2] [U3]', async ({
  place,
}) => {
  withServers(place);
  await inTui(place, [[text('It rains.')]], async (tui) => {
    // The server is still being started: who types its name waits for it.
    await say(tui, '/args-prompt');
    await tui.shows('/args-prompt needs "city"');
    tui.type('/args');
    await tui.shows('› /args-prompt city [state]');
    tui.press(KEYS.tab);
    await tui.shows('> /args-prompt');
    tui.type('Paris --state=Texas');
    await tui.shows('--state=Texas');
    tui.press(KEYS.enter);
    await tui.shows('It rains.');
    expect(tui.everything()).toContain("> What's weather in Paris, Texas?");
    await say(tui, '/help');
    await tui.until('the help', () => tui.everything().includes('/args-prompt city [state]'));
    await say(tui, '/args-promt');
    await tui.shows(/There is no \/args-promt\. Did you mean [^?]*\/args-prompt/);
  });
});

test('/mcp prints the status of each server, and what it offers [M2] [U3]', async ({ place }) => {
  withServers(place, { gone: { command: '/nonexistent/server' } });
  await inTui(
    place,
    [],
    async (tui) => {
      await say(tui, '/args-prompt');
      await tui.shows('needs "city"');
      await say(tui, '/mcp');
      await tui.until('the servers', () =>
        tui.everything().includes('gone: failed: it could not be started'),
      );
      expect(tui.everything()).toContain('everything: connected over stdio');
      expect(tui.everything()).toContain('mcp_everything_echo');
      expect(tui.everything()).toContain('prompt: args-prompt');
      expect(tui.everything()).toContain('resource: demo://');
    },
    { rows: 60 },
  );
});
