import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

/**
 * @typedef {{ readonly name: string, readonly args: object }} Wanted a call that the model makes
 *
 * @typedef {object} Asked one request, as it arrived
 * @property {number} arrivedMs when all of it was there
 * @property {number} answeredMs when the last byte of the answer was handed to the system
 * @property {number} bytes
 * @property {number} systemBytes what of it is the system prompt
 * @property {number} declarationBytes what of it says which tools there are
 * @property {readonly string[]} results what the calls so far came to, as JSON
 */

/**
 * A model that makes one call after the other and then says that it is done.
 * Which one is next is read off the request, as a real model would.
 */
export class ModelServer {
  /** @type {Asked[]} */
  asked = [];
  /** Called with each request before it is answered. */
  onAsked = (/** @type {Asked} */ _asked) => {};
  /** @type {readonly Wanted[]} */
  #script = [];
  #server = createServer((request, response) => this.#answer(request, response));

  static async start() {
    const server = new ModelServer();
    await new Promise((resolve) => server.#server.listen(0, '127.0.0.1', () => resolve(null)));
    return server;
  }

  get url() {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The model has no address');
    return `http://127.0.0.1:${address.port}`;
  }

  /** @param {readonly Wanted[]} script */
  play(script) {
    this.#script = script;
    this.asked = [];
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve(null)));
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async #answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const arrivedMs = performance.now();
    const body = Buffer.concat(chunks);
    const asked = { arrivedMs, answeredMs: Number.NaN, bytes: body.length, ...readRequest(body) };
    this.asked.push(asked);
    this.onAsked(asked);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(answer(this.#script[asked.results.length]))}\r\n\r\n`, () => {
      asked.answeredMs = performance.now();
    });
  }
}

/** @param {Buffer} body */
function readRequest(body) {
  const { contents, systemInstruction, tools } = JSON.parse(body.toString('utf8'));
  /** @type {{ functionResponse?: object }[]} */
  const parts = contents.flatMap((/** @type {{ parts: object[] }} */ content) => content.parts);
  return {
    systemBytes: bytesOf(systemInstruction),
    declarationBytes: bytesOf(tools),
    results: parts.flatMap(({ functionResponse }) =>
      functionResponse ? [JSON.stringify(functionResponse)] : [],
    ),
  };
}

const bytesOf = (/** @type {unknown} */ value) =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/** @param {Wanted | undefined} call */
function answer(call) {
  const part = call ? { functionCall: { name: call.name, args: call.args } } : { text: 'Done.' };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 10, totalTokenCount: 1_010 },
  };
}
