import { Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { type RawAnswer, send } from './raw-http.js';
import { type Serving, TOKENS } from './serving.js';

type Schema = { readonly [key: string]: unknown };
type Described = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: { readonly schema: Schema } };
    };
  };
};
export type Document = {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
  readonly components: { readonly schemas: { readonly Problem: Schema } };
};

/** Sends requests to a server as its OpenAPI description states, and validates every response against it. */
export class DescribedServer {
  readonly #serving: Serving;
  readonly document: Document;
  /** Operations that were answered as they should be, and those that were refused as they should be. */
  readonly succeeded = new Set<string>();
  readonly refused = new Set<string>();

  private constructor(serving: Serving, document: Document) {
    this.#serving = serving;
    this.document = document;
  }

  static async of(serving: Serving): Promise<DescribedServer> {
    const headers = headersFor(serving);
    const { port } = serving.server;
    const { body } = await send({ port, method: 'GET', path: '/api/openapi.json', headers });
    return new DescribedServer(serving, JSON.parse(body));
  }

  get operations(): readonly string[] {
    return Object.values(this.document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
  }

  async ask(
    route: string,
    options: { readonly body?: unknown; readonly query?: string } = {},
  ): Promise<RawAnswer> {
    const [method = '', path = ''] = route.split(' ');
    const { body, query } = options;
    const described = this.#describedAt(method, path);
    const isStream = described.responses['200']?.content?.['text/event-stream'] !== undefined;
    const answer = await send({
      port: this.#serving.server.port,
      method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: {
        ...headersFor(this.#serving),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(isStream && { until: 'headers' }),
    });
    this.#check(described, answer, body);
    return answer;
  }

  #check({ operationId, responses, requestBody }: Described, answer: RawAnswer, sent: unknown): void {
    const [type = ''] = String(answer.headers['content-type']).split(';');
    if (answer.status >= 400) {
      this.refused.add(operationId);
      expectValid(this.document.components.schemas.Problem, JSON.parse(answer.body), operationId);
      return;
    }
    this.succeeded.add(operationId);
    if (requestBody)
      expectValid(requestBody.content['application/json'].schema, sent, `${operationId}: what was sent`);
    const content = responses[String(answer.status)]?.content ?? {};
    const schema = Object.entries(content).find(([name]) => name.split(';')[0] === type)?.[1].schema;
    if (!schema) throw new Error(`${operationId} answered ${answer.status} ${type}, which is not described`);
    if (type === 'application/json') expectValid(schema, JSON.parse(answer.body), operationId);
    if (type === 'application/x-ndjson')
      for (const line of answer.body.trim().split('\n')) expectValid(schema, JSON.parse(line), operationId);
  }

  #describedAt(method: string, path: string): Described {
    for (const [template, methods] of Object.entries(this.document.paths)) {
      const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      const described = methods[method.toLowerCase()];
      if (pattern.test(path) && described) return described;
    }
    throw new Error(`${method} ${path} is not described`);
  }
}

function expectValid(schema: Schema, value: unknown, what: string): void {
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
  expect([what, valid ? [] : errors.slice(0, 3)]).toEqual([what, []]);
}

const headersFor = ({ server }: Serving) => ({
  host: `127.0.0.1:${server.port}`,
  authorization: `Bearer ${TOKENS[0]?.token}`,
});
