// The three runs. Each gives the functions that were entered on the way of one call, in their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Place } from './program.mjs';

/** @typedef {import('./program.mjs').Entry} Entry */

const CALL = { name: 'write_file', args: { file_path: 'note.txt', content: 'hello\n' } };

/**
 * (a) `countersign exec`, its session open and idle, is given a call that writes a file, and waits; `countersign approvals answer`
 * in another process agrees. Counted is the time from the giving of the call to the printing of its result: in the first process
 * what it does beyond being idle as long, in the second what it does beyond `approvals list` of a store in which nothing waits.
 * @returns {Promise<Entry[]>}
 */
export const execAnsweredElsewhere = (/** @type {string} */ root) =>
  inPlace(root, async (place) => {
    const listing = await place.run(['approvals', 'list']);
    const exec = place.start(['exec', '--approvals', 'wait', '--session', 'walk']);
    const give = (/** @type {object} */ call) => exec.child.stdin.write(`${JSON.stringify(call)}\n`);
    give({ id: 'first', name: 'list_directory', args: { dir_path: '.' } });
    await exec.until(/"callId":"first"/);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));

    const from = Date.now();
    give({ id: 'a', ...CALL });
    await exec.until(/approvals answer walk\/a /);
    const answering = await place.run(['approvals', 'answer', 'walk/a', 'proceed_once']);
    await exec.until(/"callId":"a"/);
    const to = Date.now();

    exec.child.stdin.end();
    const entered = await exec.ended();
    if (/"status":"(error|cancelled)"/.test(exec.printed)) throw new Error(`It printed:\n${exec.printed}`);
    const executing = beyond(between(entered, from - (to - from), from), between(entered, from, to));
    return [...executing, ...beyond(listing, answering)].sort((one, other) => one.at - other.at);
  });

/**
 * (b) A call waits in `countersign serve`, a client follows the session, and another request answers. Counted is the time from
 * the sending of the answer to the moment when the follower has seen the call's end, beyond what the idle server does in as long.
 * @returns {Promise<Entry[]>}
 */
export const answerOverHttp = (/** @type {string} */ root) =>
  inPlace(root, async (place) => {
    const serving = place.start(['serve', '--port', '0']);
    await serving.until(/#pair=\S+/);
    const url = serving.printed.match(/http:\/\/[^/\s]+/)?.[0] ?? '';
    const { tokens } = JSON.parse(readFileSync(join(place.home, 'server-tokens.json'), 'utf8'));
    const headers = { authorization: `Bearer ${tokens[0].token}`, 'content-type': 'application/json' };
    const post = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return JSON.parse(await response.text());
    };

    const { sessionId } = await post('/api/sessions', {});
    const followed = await fetch(`${url}/api/sessions/${sessionId}/events`, { headers });
    const seen = reader(followed);
    const { callIds } = await post(`/api/sessions/${sessionId}/calls`, { calls: [CALL] });
    await seen.until(/"type":"call\.asked"|awaiting_approval/);
    const listed = await fetch(`${url}/api/approvals?sessionId=${sessionId}`, { headers });
    const [{ digest }] = JSON.parse(await listed.text()).approvals;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));

    const from = Date.now();
    await post('/api/approvals/answer', { sessionId, callId: callIds[0], digest, outcome: 'proceed_once' });
    await seen.until(/"type":"call\.succeeded"/);
    const to = Date.now();

    await seen.close();
    serving.child.kill('SIGTERM');
    const entered = await serving.ended();
    const idle = between(entered, from - (to - from), from);
    return beyond(idle, between(entered, from, to));
  });

/** Longer than an answer takes: in this time the program does only what it does without being asked. */
const IDLE_MS = 3_000;

/**
 * (c) `countersign -p` asks a model over HTTP; the model wants a file read, and then says that it is done. Counted is the time
 * from the arrival of the first request at the model to the printing of the result: the stream, the call, and the second request.
 * @returns {Promise<Entry[]>}
 */
export const modelTurn = (/** @type {string} */ root) =>
  inPlace(root, async (place) => {
    writeFileSync(join(place.workspace, 'note.txt'), 'hello\n');
    /** @type {number[]} */
    const requests = [];
    const answers = [
      chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: READ }] }, 'tool_calls'),
      chunk({ content: 'Done.' }, 'stop'),
    ];
    const model = createServer((request, response) => {
      request.resume();
      if (request.method === 'GET')
        return response.end(JSON.stringify({ object: 'list', data: [{ id: 'local' }] }));
      requests.push(Date.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`data: ${JSON.stringify(answers[requests.length - 1])}\n\ndata: [DONE]\n\n`);
    });
    await new Promise((resolve) => model.listen(0, '127.0.0.1', () => resolve(null)));
    const address = model.address();
    const port = typeof address === 'object' ? address?.port : 0;

    const run = place.start(['-p', 'read note.txt', '-o', 'stream-json'], {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    run.child.stdin.end();
    await run.until(/"type":"result"/);
    const to = Date.now();
    const entered = await run.ended();
    model.close();
    if (!/"status":"success"/.test(run.printed) || requests.length !== 2)
      throw new Error(`It printed, after ${requests.length} requests:\n${run.printed}`);
    return between(entered, requests[0] ?? 0, to);
  });

const READ = { name: 'read_file', arguments: '{"file_path":"note.txt"}' };
const chunk = (/** @type {object} */ delta, /** @type {string} */ finish_reason) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'local',
  choices: [{ index: 0, delta, finish_reason }],
});

/**
 * @template T
 * @param {string} root
 * @param {(place: Place) => Promise<T>} work
 */
async function inPlace(root, work) {
  const place = new Place(root);
  try {
    return await work(place);
  } finally {
    place.close();
  }
}

const between = (/** @type {Entry[]} */ entered, /** @type {number} */ from, /** @type {number} */ to) =>
  entered.filter(({ at }) => at >= from && at <= to);

/** Entries of functions that `busy` enters more often than `idle` does. */
function beyond(/** @type {Entry[]} */ idle, /** @type {Entry[]} */ busy) {
  const usual = countsOf(idle);
  const counts = countsOf(busy);
  return busy.filter(({ name }) => (counts.get(name) ?? 0) > (usual.get(name) ?? 0));
}

function countsOf(/** @type {Entry[]} */ entered) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of entered) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Follows an event stream. */
function reader(/** @type {Response} */ response) {
  const stream = response.body?.getReader();
  let text = '';
  const decoder = new TextDecoder();
  return {
    until: async (/** @type {RegExp} */ pattern) => {
      while (!pattern.test(text)) {
        const { value, done = true } = (await stream?.read()) ?? {};
        if (done) throw new Error(`The stream ended without ${pattern}:\n${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
    close: async () => stream?.cancel(),
  };
}
