// Many who listen, in a process of their own: what they hear must not be waited for by those who ask.
import { request } from 'node:http';

/**
 * @typedef {{ url: string, tokens: readonly string[], clients: readonly (readonly string[])[] }} Order sessions by client
 * @typedef {{ facts: number, broken: number, starts: [string, number][], factMs: number[], changeMs: number[] }} Heard since it was last asked
 */

/** @type {Heard} */
let heard = nothing();

process.on('message', async (/** @type {Order | 'heard'} */ order) => {
  if (order === 'heard') {
    process.send?.(heard);
    heard = nothing();
    return;
  }
  const { url, tokens, clients } = order;
  for (const [index, sessions] of clients.entries())
    await listen(`${url}/api/events?sessions=${sessions.join(',')}`, tokens[index % tokens.length] ?? '');
  process.send?.('listening');
});

/** @returns {Heard} */
function nothing() {
  return { facts: 0, broken: 0, starts: [], factMs: [], changeMs: [] };
}

/** @param {string} url @param {string} token @returns {Promise<void>} once it is greeted */
function listen(url, token) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (/** @type {string} */ chunk) => {
        const frames = (text + chunk).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) hear(frame);
        resolve();
      });
      response.on('close', () => heard.broken++);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Looked at as text, since five hundred share this process; each fact and each answer says when it was decided. */
function hear(/** @type {string} */ frame) {
  const now = Date.now();
  if (frame.includes('\nevent: session\n')) {
    if (!frame.includes(',"event":"fact"')) return;
    heard.facts++;
    const at = /"at":(\d{13})/.exec(frame)?.[1];
    if (at !== undefined) heard.factMs.push(now - Number(at));
    const started = /"type":"call\.started","callId":"([^"]+)"/.exec(frame)?.[1];
    if (started !== undefined) heard.starts.push([started, performance.timeOrigin + performance.now()]);
  } else if (frame.includes('"type":"approval.gone"')) {
    const at = /"at":(\d{13})/.exec(frame)?.[1];
    if (at !== undefined) heard.changeMs.push(now - Number(at));
  }
}
