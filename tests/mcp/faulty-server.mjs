// An MCP server that misbehaves as a script says: faulty-server.mjs [--http] SCRIPT
// The script gives, for a method (or `start`, `initialized`, `cancelled`, `GET`), what to do instead of answering: a list of
// actions, or { seq: [list, list, …] } for the first time, the second … With --http it prints its port on stderr.
// Calls are counted in the file FAULTY_LOG, cancellations, and how often tools were listed.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ readonly id?: unknown, readonly method?: string, readonly params?: Record<string, any> }} Message
 * @typedef {Record<string, any>} Action
 * @typedef {(bytes: string | Uint8Array) => Promise<void>} Write
 */

const isHttp = process.argv[2] === '--http';
/** @type {Record<string, Action[] | { seq: Action[][] }>} */
const script = JSON.parse(process.argv[isHttp ? 3 : 2] ?? '{}');
const ADD = {
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

/** From a file, so that a server that starts again can be another one. */
const versionNow = () => {
  const file = process.env['FAULTY_VERSION'];
  return file === undefined ? '1' : readFileSync(file, 'utf8');
};

/** What a good server would say. @param {Message} message @returns {object | null} */
function goodResult({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'faulty', version: versionNow() },
      };
    case 'tools/list':
      return { tools: [ADD] };
    case 'tools/call':
      return {
        content: [{ type: 'text', text: String(params?.['arguments']?.a + params?.['arguments']?.b) }],
      };
    case 'ping':
      return {};
    default:
      return null;
  }
}

/** @type {Map<string, number>} */
const turns = new Map();
/** @param {string} key @returns {Action[] | undefined} */
function actionsFor(key) {
  const actions = script[key];
  if (actions === undefined || Array.isArray(actions)) return actions;
  const turn = turns.get(key) ?? 0;
  turns.set(key, turn + 1);
  return actions.seq[Math.min(turn, actions.seq.length - 1)];
}

const LOGGED = new Set(['tools/call', 'tools/list', 'notifications/cancelled']);

let staysAlive = false;
const stayAlive = () => {
  staysAlive = true;
  setInterval(() => {}, 1_000);
};

/** @param {Message} message @param {Write} write */
async function handle(message, write) {
  const { id, method } = message;
  if (method === undefined) return;
  if (process.env['FAULTY_LOG'] && LOGGED.has(method))
    appendFileSync(process.env['FAULTY_LOG'], `${method}\n`);
  const actions = actionsFor(method.replace(/^notifications\//, ''));
  if (actions) {
    for (const action of actions) await act(action, message, write);
    return;
  }
  if (id === undefined) return;
  const result = goodResult(message);
  await send(write, {
    id,
    ...(result ? { result } : { error: { code: -32601, message: 'no such method' } }),
  });
}

/** @param {Write} write @param {object} message */
const send = (write, message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** @param {Action} action @param {Message} message @param {Write} write */
async function act(action, message, write) {
  const { id } = message;
  /** @param {string} text */
  const filled = (text) => text.replaceAll('{ID}', JSON.stringify(id ?? null));
  if (action['default']) await send(write, { id, result: goodResult(message) ?? {} });
  if (action['reply']) await send(write, { id, result: action['reply'] });
  if (action['error']) await send(write, { id, error: action['error'] });
  if ('replyWithId' in action) {
    const other = action['replyWithId'] === 'STRING' ? String(id) : action['replyWithId'];
    await send(write, { id: other, result: action['result'] ?? goodResult(message) });
  }
  if (action['raw']) await write(filled(action['raw']));
  if (action['rawBytes']) {
    const [pre = '', bytes, post = ''] = [action['pre'], action['rawBytes'], action['post']];
    await write(Buffer.concat([Buffer.from(filled(pre)), Buffer.from(bytes, 'hex'), Buffer.from(post)]));
  }
  if (action['sleep']) await delay(action['sleep']);
  if ('exit' in action) process.exit(action['exit']);
  if (action['kill']) {
    process.kill(process.pid, action['kill']);
    await delay(1_000);
  }
  if (action['stderr']) await flood(process.stderr, action['stderr']);
  if (action['stdout']) await flood(process.stdout, action['stdout']);
  if (action['notify']) await notify(action, message, write);
  if (action['request']) {
    const { id: asked, method, params = {} } = action['request'];
    const { times = 1 } = action;
    for (let at = 0; at < times; at += 1)
      await send(write, {
        id: asked === 'SAME' ? id : times === 1 ? asked : `${asked}${at}`,
        method,
        params,
      });
  }
  if (action['closeStdout']) {
    await delay(20);
    closeSync(1);
    stayAlive();
  }
  if (action['ignoreSigterm']) process.on('SIGTERM', () => {});
  if (action['stayAlive']) stayAlive();
  if (action['grandchild']) {
    const { grandchild: seconds, detached = false } = action;
    spawn('sleep', [String(seconds)], { stdio: 'inherit', detached }).unref();
  }
  if (action['stopReading']) process.stdin.pause();
  if (action['deep']) {
    const { deep, before, after } = action;
    await write(`${filled(before)}${'['.repeat(deep)}${']'.repeat(deep)}${after}\n`);
  }
  if (action['manyFields']) {
    const fields = Array.from({ length: action['manyFields'] }, (_, at) => [`f${at}`, { type: 'string' }]);
    const requestedSchema = { type: 'object', properties: Object.fromEntries(fields) };
    await send(write, {
      id: 'form',
      method: 'elicitation/create',
      params: { message: 'All of it', requestedSchema },
    });
  }
  if (action['bigReply']) {
    const { chars, kind = 'text', items = 0, fill = 'x' } = action['bigReply'];
    await send(write, { id, result: { content: bigContent(kind, fill.repeat(chars ?? 0), items) } });
  }
  if (action['bigPrompt']) {
    const text = 'x'.repeat(action['bigPrompt']);
    await send(write, { id, result: { messages: [{ role: 'user', content: { type: 'text', text } }] } });
  }
  if (action['manyTools']) {
    const tools = Array.from({ length: action['manyTools'] }, (_, at) => ({ ...ADD, name: `t${at}` }));
    await send(write, { id, result: { tools } });
  }
  if (action['bigSchema']) {
    const names = Array.from({ length: action['bigSchema'] }, (_, at) => `p${at}`);
    const property = { type: 'string', description: 'x'.repeat(80) };
    const properties = Object.fromEntries(names.map((name) => [name, property]));
    await send(write, { id, result: { tools: [{ ...ADD, inputSchema: { type: 'object', properties } }] } });
  }
}

/** @param {string} kind @param {string} data @param {number} items */
function bigContent(kind, data, items) {
  if (kind === 'image') return [{ type: 'image', data, mimeType: 'image/png' }];
  return kind === 'items'
    ? Array.from({ length: items }, () => ({ type: 'text', text: 'x' }))
    : [{ type: 'text', text: data }];
}

/** @param {Action} action @param {Message} message @param {Write} write */
async function notify({ notify: { method, params = {} }, times = 1, everyMs = 0 }, message, write) {
  const token = JSON.stringify(message.params?.['_meta']?.progressToken ?? 0);
  for (let at = 1; at <= times; at += 1) {
    const filled = JSON.stringify(params).replaceAll('"{PT}"', token).replaceAll('"{I}"', String(at));
    await send(write, { method, params: JSON.parse(filled) });
    if (everyMs > 0) await delay(everyMs);
  }
}

/** @param {NodeJS.WriteStream} stream @param {{ readonly fill?: string, readonly bytes: number }} what */
async function flood(stream, { fill = 'x', bytes }) {
  const chunk = fill.repeat(Math.ceil(65_536 / fill.length));
  for (let sent = 0; sent < bytes; sent += chunk.length)
    if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
}

/** @type {Write} */
const toStdout = (bytes) =>
  new Promise((resolve) => {
    if (process.stdout.write(bytes)) resolve();
    else process.stdout.once('drain', () => resolve());
  });

function overStdio() {
  createInterface({ input: process.stdin }).on('line', (line) => void handle(JSON.parse(line), toStdout));
  process.stdin.on('end', () => {
    if (!staysAlive) process.exit(0);
  });
}

function overHttp() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    /** @type {Message} */
    const message = body === '' ? {} : JSON.parse(body);
    const key = request.method === 'POST' ? (message.method ?? '').replace(/^notifications\//, '') : 'GET';
    const http = actionsFor(key)?.find((action) => action['http'])?.['http'];
    if (http) {
      if (message.method === 'tools/call' && process.env['FAULTY_LOG'])
        appendFileSync(process.env['FAULTY_LOG'], 'tools/call\n');
      if (http.hang) return;
      if (http.drop) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hi\n\n');
        setTimeout(() => request.socket.destroy(), 100);
        return;
      }
      response.writeHead(http.status ?? 200, { 'content-type': 'application/json', ...http.headers });
      if (http.events) {
        for (const text of http.events) response.write(text.replaceAll('{ID}', JSON.stringify(message.id)));
        if (!http.keepOpen) response.end();
        return;
      }
      if (http.half) {
        response.write(http.half);
        setTimeout(() => request.socket.destroy(), 50);
        return;
      }
      response.end(http.gzipBomb ? gzipSync(Buffer.alloc(http.gzipBomb, 'x')) : (http.body ?? ''));
      return;
    }
    if (request.method !== 'POST' || message.id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
      return;
    }
    await handle(message, async (bytes) => {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' }).end(bytes);
    });
  });
  server.listen(Number(process.env['FAULTY_PORT'] ?? 0), '127.0.0.1', () => {
    const address = server.address();
    console.error(typeof address === 'object' ? address?.port : '');
  });
}

for (const action of actionsFor('start') ?? []) await act(action, {}, toStdout);
if (isHttp) overHttp();
else overStdio();
