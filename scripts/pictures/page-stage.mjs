// A real server with a home and a workspace of its own, in which a recorded model did some work and waits for a person.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../source/files.mjs';

const PROGRAM = join(root, 'packages/cli/bin/countersign.js');
const WAIT_MS = 30_000;

const SERVER_BEFORE = `import { createServer } from 'node:http';

export function start() {
  const server = createServer((request, response) => {
    response.end('hi');
  });
  server.listen(8080);
}
`;
const SERVER_AFTER = `import { createServer } from 'node:http';

/** Only this machine reaches it. */
const ADDRESS = '127.0.0.1';

export function start() {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end('hello');
  });
  server.listen(8080, ADDRESS);
  return server;
}
`;

/** @type {Readonly<Record<string, string>>} */
const FILES = {
  'server.ts': SERVER_BEFORE,
  'notes.md': 'Port 8080 is for the harbour office.\n',
  'package.json': '{ "name": "harbour", "private": true }\n',
};

/** @param {string} name @param {object} args */
const call = (name, args) => ({ functionCall: { name, args } });

/** What the model says, answer by answer. */
const ANSWERS = [
  [
    { text: 'I look at the server first.' },
    call('read_file', { file_path: 'server.ts' }),
    call('grep_search', { pattern: 'listen' }),
  ],
  [
    { text: 'It listens on every address. I bind it to this machine, and then check that it starts.' },
    call('write_file', { file_path: 'server.ts', content: SERVER_AFTER }),
    call('run_shell_command', {
      command: 'npm install --save-dev typescript && rm -rf dist && npx tsc --noEmit',
    }),
  ],
];

/** Calls of people, in sessions of their own. */
const BY_HAND = [
  [
    call('ask_user', {
      questions: [
        {
          question: 'Where are the berths kept?',
          header: 'Store',
          type: 'choice',
          options: [
            { label: 'SQLite', description: 'a file beside the program' },
            { label: 'PostgreSQL', description: 'a server that others use as well' },
          ],
        },
      ],
    }),
    call('web_fetch', { prompt: 'Read the tide table at https://example.org/tides' }),
  ],
  [
    call('list_directory', { dir_path: '.' }),
    call('read_file', { file_path: 'missing.md' }),
    call('glob', { pattern: '*.ts' }),
    call('run_shell_command', { command: 'echo "berth 1"; sleep 0.2; echo "berth 2"' }),
  ],
];

/**
 * @typedef {object} Stage
 * @property {() => Promise<string>} link signs in, once
 * @property {(path: string, body?: object) => Promise<any>} api
 * @property {string} sessionId of the conversation with the model
 * @property {() => Promise<void>} close
 *
 * @param {{ readonly page?: string }} [options]
 * @returns {Promise<Stage>}
 */
export async function setStage({ page } = {}) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-pictures-')));
  const workspace = join(directory, 'harbour');
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const recording = join(directory, 'answers.jsonl');
  writeFileSync(recording, ANSWERS.map(recorded).join(''));
  const home = join(directory, 'home');
  const args = ['serve', '--port', '0', '--fake-responses', recording, '--model', 'scripted'];
  const child = spawn(process.execPath, [PROGRAM, ...args, ...(page ? ['--page', page] : [])], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: directory, USER: 'ann', COUNTERSIGN_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const close = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const [said] = await once(child.stdout.setEncoding('utf8'), 'data', {
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const url = String(said).split('/#')[0];
    const { tokens } = JSON.parse(readFileSync(join(home, 'server-tokens.json'), 'utf8'));
    /** @type {Stage['api']} */
    const api = async (path, body) => {
      const answered = await fetch(`${url}/api${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${tokens[0].token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answered.ok) throw new Error(`${path}: ${answered.status} ${await answered.text()}`);
      return answered.json();
    };
    const sessionId = await play(api);
    return { link: async () => (await api('/pairings', {})).url, api, sessionId, close };
  } catch (thrown) {
    await close();
    throw new Error(`The stage could not be set. The server said: ${complaints}`, { cause: thrown });
  }
}

/** @param {Stage['api']} api */
async function play(api) {
  for (const calls of BY_HAND) {
    const { sessionId } = await api('/sessions', {});
    await api(`/sessions/${sessionId}/calls`, { calls: calls.map(({ functionCall }) => functionCall) });
  }
  const { sessionId } = await api('/sessions', {});
  await api(`/sessions/${sessionId}/messages`, { text: 'Let the server listen on this machine only.' });
  const end = Date.now() + WAIT_MS;
  while ((await api('/approvals')).total < 4) {
    if (Date.now() > end) throw new Error(`What was to wait does not after ${WAIT_MS} ms`);
    await sleep(50);
  }
  return sessionId;
}

/** @param {readonly object[]} parts */
function recorded(parts) {
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10 };
  const answer = { method: 'generateContentStream', response: [{ candidates, usageMetadata }] };
  return `${JSON.stringify(answer)}\n`;
}
