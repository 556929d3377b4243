import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { type RawAnswer, send, sendBytes, sendSlowly, statusIn } from './raw-http.js';
import { type Asked, must, Serving, TOKENS, until } from './serving.js';

/** A case of the approval-server corpus; its meaning is section 4 of the corpus's SEMANTICS. */
type Case = {
  readonly id: string;
  readonly class: string;
  readonly why: string;
  readonly steps: readonly Step[];
  readonly executions: number | string;
};
type Step = {
  readonly method?: string;
  readonly pathKind?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | { readonly gen: string; readonly n: number };
  readonly rawRequest?: string;
  readonly slowHeaders?: { readonly bytesPerSecond: number; readonly seconds: number };
  readonly expect: string;
  readonly mustNotHeader?: readonly string[];
  readonly mustHeader?: { readonly [names: string]: string };
  readonly mustNotBody?: string;
};

const HEADERS_TIMEOUT_MS = 1_500;
const directory = join(root, 'tests/corpus');
const cases = readdirSync(directory)
  .filter((name) => /^http\..*\.jsonl$/.test(name))
  .flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
  .map((line): Case => JSON.parse(line));

let serving: Serving;
beforeAll(async () => {
  serving = await Serving.start({
    limits: {
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      requestTimeoutMs: 5_000,
      // A quick machine goes through the cases faster than a person's client may ask; the rate has tests of its own.
      requestsPerSecond: 20_000,
      requestsAtOnce: 20_000,
    },
  });
});
afterAll(() => serving.close());

describe('the corpus of requests to an approval server [W3]', () => {
  test.each(cases)('$id $class: $why', async (each) => {
    const word = each.id;
    const done = await answered(`done ${word}`);
    const asked = await serving.ask(word, done.sessionId);
    const other = await serving.ask(`other ${word}`);
    for (const step of each.steps) await check(step, { asked, other, done });
    const times = await timesRun(asked, word);
    expect(String(each.executions).split('|')).toContain(String(times));
  });
});

type Situation = { readonly asked: Asked; readonly other: Asked; readonly done: Asked };

async function check(step: Step, situation: Situation): Promise<void> {
  const answer = await answerTo(step, situation);
  const accepted = step.expect.split('|');
  const isAccepted = accepted.some(
    (each) =>
      each === 'any' ||
      (each === 'close' && answer.status === 0) ||
      (each === '2xx' ? answer.status >= 200 && answer.status < 300 : Number(each) === answer.status),
  );
  expect(isAccepted ? step.expect : `${answer.status} ${answer.body.slice(0, 300)}`).toBe(step.expect);
  expect(answer.body).not.toMatch(/\n\s+at /);
  for (const name of step.mustNotHeader ?? []) expect(answer.headers).not.toHaveProperty(name);
  for (const [names, values] of Object.entries(step.mustHeader ?? {})) {
    const found = names.split('|').map((name) => String(answer.headers[name] ?? ''));
    expect(found.join('\n')).toMatch(new RegExp(values));
  }
  if (step.mustNotBody !== undefined) expect(answer.body).not.toContain(filled(step.mustNotBody, situation));
}

async function answerTo(step: Step, situation: Situation): Promise<RawAnswer> {
  const { port } = serving.server;
  if (step.slowHeaders) {
    const { bytesPerSecond, seconds } = step.slowHeaders;
    const dripping = sendSlowly(
      port,
      'GET / HTTP/1.1\r\nX-Slow: ',
      1_000 / bytesPerSecond,
      Math.min(seconds, 8) * 1_000,
    );
    // Meanwhile others are served.
    must(await serving.client().listApprovals({}));
    const response = await dripping;
    return { status: response === 'still open' ? -1 : statusIn(response), headers: {}, body: response };
  }
  if (step.rawRequest !== undefined) {
    const response = await sendBytes(port, filled(step.rawRequest, situation));
    return { status: statusIn(response), headers: {}, body: response };
  }
  const { method = 'GET', headers = {}, body, query } = step;
  const path = `${pathOf(step, situation)}${query === undefined ? '' : `?${filled(query, situation)}`}`;
  return send({
    port,
    method,
    path,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(value, situation)]),
    ),
    ...(body !== undefined && { body: bodyOf(step, situation) }),
    ...(step.pathKind === 'events' && { until: 'headers' }),
  });
}

function pathOf({ pathKind, path }: Step, { asked }: Situation): string {
  switch (pathKind) {
    case 'approve':
      return '/api/approvals/answer';
    case 'cancel':
      return `/api/sessions/${asked.sessionId}/cancel`;
    case 'pending':
      return '/api/approvals';
    case 'events':
      return `/api/sessions/${asked.sessionId}/events`;
    default:
      return path ?? '/';
  }
}

/** The corpus's own words for an answer, in ours; by text, since some bodies are no JSON. */
function bodyOf({ body = '', pathKind }: Step, situation: Situation): string {
  const { sessionId } = situation.asked;
  const ours = (text: string) => {
    const whole = filled(text, situation);
    if (pathKind === 'cancel')
      return whole.replace(/"callId"\s*:\s*("[^"]*")/, '"target":{"type":"call","callId":$1}');
    return whole
      .replace(/"decision"(\s*:\s*)"approve"/g, '"outcome"$1"proceed_once"')
      .replace(/"decision"(\s*:\s*)"deny"/g, '"outcome"$1"cancel"')
      .replace(/"decision"/g, '"outcome"')
      .replace(/"callId"/g, `"sessionId":"${sessionId}","callId"`);
  };
  if (typeof body === 'string') return ours(body);
  const begin = ours('{"callId":"{CALL}","decision":"approve","digest":"{DIGEST}","pad":"');
  return `${begin}${'x'.repeat(Math.max(0, body.n - begin.length - 2))}"}`;
}

function filled(text: string, { asked, other, done }: Situation): string {
  const values: { readonly [name: string]: string } = {
    TOKEN: TOKENS[0]?.token ?? '',
    PORT: String(serving.server.port),
    CALL: asked.callId,
    OTHER_CALL: other.callId,
    DONE_CALL: done.callId,
    DIGEST: asked.digest,
    HOSTNAME: hostname(),
    APPROVE: '/api/approvals/answer',
  };
  return text.replace(/\{([A-Z_]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** One that was approved, and ran. */
async function answered(word: string): Promise<Asked> {
  const done = await serving.ask(word);
  must(await serving.client().answerApproval({ body: { ...done, outcome: 'proceed_once' } }));
  await until(async () => serving.counted.includes(word));
  return done;
}

/** How often the call ran, once it is decided; one that still waits is declined, so that nothing can come later. */
async function timesRun(asked: Asked, word: string): Promise<number> {
  const client = serving.client();
  await client.answerApproval({ body: { ...asked, outcome: 'cancel' } });
  await until(async () => {
    const { facts } = must(
      await client.listFacts({ sessionId: asked.sessionId, callId: asked.callId, limit: 500 }),
    );
    return facts.some(({ event }) =>
      ['call.succeeded', 'call.failed', 'call.cancelled'].includes(event.type),
    );
  });
  return serving.counted.filter((each) => each === word).length;
}
