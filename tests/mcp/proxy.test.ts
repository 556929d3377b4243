import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { CERTIFICATE, secured, TestProxy } from '../cli/forward-proxy.js';
import { userSettings } from '../cli/hook-settings.js';
import { asLines, errorOf, type Place, test } from '../cli/program.js';

const EVERYTHING = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The public server with everything, on a port of its own; it ends with the test. */
async function everything(mode: 'sse' | 'streamableHttp'): Promise<string> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  free.close();
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill());
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 400; tries += 1) {
    if (await fetch(`${url}/nothing`).catch(() => null)) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server does not listen');
}

const echo = asLines({ id: 'e', name: 'mcp_everything_echo', args: { message: 'hi' } });

function callEcho(place: Place, env: NodeJS.ProcessEnv) {
  const file = join(place.directory, 'authority.pem');
  writeFileSync(file, CERTIFICATE);
  const options = { stdin: echo, env: { NODE_EXTRA_CA_CERTS: file, ...env } };
  return place.run(['exec', '--yolo'], options);
}

for (const [mode, type, path] of [
  ['streamableHttp', 'http', '/mcp'],
  ['sse', 'sse', '/sse'],
] as const)
  for (const scheme of ['https', 'http'] as const)
    test(`an MCP server over ${type} is reached through the proxy for ${scheme} URLs [M1]`, async ({
      place,
    }) => {
      const url = await everything(mode);
      const port = scheme === 'https' ? await secured(url) : Number(new URL(url).port);
      const authority = `mcp.proxied.example:${scheme === 'https' ? 443 : 80}`;
      const proxy = await TestProxy.start({ [authority]: port }, 'ann:word');
      userSettings(place, {
        mcpServers: { everything: { url: `${scheme}://mcp.proxied.example${path}`, type } },
      });
      const variable = scheme === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
      const { lines, code } = await callEcho(place, { [variable]: `http://ann:word@${proxy.host}` });
      expect(JSON.stringify(lines)).toContain('Echo: hi');
      expect(code).toBe(0);
      expect(proxy.lines[0]).toBe(
        scheme === 'https'
          ? `CONNECT ${authority}`
          : `${type === 'sse' ? 'GET' : 'POST'} http://mcp.proxied.example${path}`,
      );
    });

test('a proxy that does not run or refuses is named where the MCP server cannot be connected to [M1]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { everything: { url: 'https://mcp.proxied.example/mcp' } } });
  const down = await callEcho(place, { HTTPS_PROXY: 'http://ann:secret-word@127.0.0.1:9' });
  const problem = errorOf(down.lines.find(({ callId }) => callId === 'e')).message;
  expect(problem).toContain('the proxy 127.0.0.1:9 (HTTPS_PROXY) cannot be reached: nothing listens there');
  expect(down.stdout + down.stderr).not.toContain('secret-word');
  const proxy = await TestProxy.start({}, 'ann:word');
  const refused = await callEcho(place, { HTTPS_PROXY: proxy.url });
  expect(errorOf(refused.lines.find(({ callId }) => callId === 'e')).message).toContain(
    'requires a user name and password (HTTP 407)',
  );
});
