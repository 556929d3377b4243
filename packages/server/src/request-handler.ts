import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JournalError } from '@countersign/engine';
import { ToolFailure } from '@countersign/protocol';
import type { Operation } from './contract/operation.js';
import { operations } from './contract/operations.js';
import { type Problem, Refusal } from './contract/problems.js';
import type { OperationName } from './contract/routes.js';
import { type Handlers, SENT } from './handlers/handler.js';
import type { Metrics } from './handlers/metrics.js';
import { readInput } from './handlers/read-input.js';
import type { Scheme } from './http/addresses.js';
import { sendJson, sendProblem, setSafetyHeaders } from './http/answer.js';
import { Buffers } from './http/buffers.js';
import { problemAtDoor } from './http/door.js';
import { EventStream } from './http/event-stream.js';
import { LargeAnswers, type Reserved } from './http/large-answers.js';
import type { ServerLimits } from './http/limits.js';
import { matchRoute } from './http/match-route.js';
import { RequestRates } from './http/request-rates.js';
import type { StaticFiles } from './http/static-files.js';
import { scopeOf } from './sessions/operation-scope.js';
import type { ServedWorkspaces } from './sessions/served-workspaces.js';
import type { Admissions } from './sign-in/admissions.js';
import type { Who } from './sign-in/identify.js';
import { addressOf, type SignIn } from './sign-in/sign-in.js';

export type RequestHandling = {
  readonly handlers: Handlers;
  readonly served: ServedWorkspaces;
  readonly signIn: SignIn;
  readonly admissions: Admissions;
  readonly page: StaticFiles;
  readonly metrics: Metrics;
  readonly limits: ServerLimits;
  readonly hosts: ReadonlySet<string>;
  readonly scheme: Scheme;
  readonly now: () => number;
  readonly onTrouble: (text: string) => void;
};

type Incoming = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly search: URLSearchParams;
};

/** Identity used for requests that need none. No token has this name. */
const ANONYMOUS: Who = {
  name: '',
  client: '',
  credential: { type: 'token', key: '', name: '', hash: '' },
};

/** Operations whose response contains whole calls, with their arguments and questions. */
const LARGE: ReadonlySet<OperationName> = new Set(['showApproval', 'explainCall', 'listFacts']);

/** Handles a request from its first checks to its response. */
export class RequestHandler {
  readonly #handling: RequestHandling;
  readonly #rates: RequestRates;
  readonly #buffers: Buffers;
  readonly #largeAnswers = new LargeAnswers();
  readonly #underWay = new Set<ServerResponse>();
  readonly #streams = new Map<string, Set<EventStream>>();

  constructor(handling: RequestHandling) {
    const { limits, now } = handling;
    this.#handling = handling;
    this.#buffers = new Buffers(limits);
    this.#rates = new RequestRates(limits.requestsPerSecond, limits.requestsAtOnce, now);
  }

  /** Never throws: a failure is a response, too. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { scheme, metrics, limits, onTrouble } = this.#handling;
    let name: OperationName | null = null;
    // A client that disconnects in the middle of a response is not an error of the server.
    response.on('error', () => response.destroy());
    this.#underWay.add(response);
    response.on('close', () => {
      this.#underWay.delete(response);
      metrics.answered(name ?? 'other', response.statusCode);
    });
    setSafetyHeaders(response, scheme);
    // A response that its client does not read is dropped; a stream has a limit of its own.
    response.setTimeout(limits.slowClientMs, () => response.writableEnded && response.destroy());
    try {
      const incoming = this.#enter(request, response);
      const route = matchRoute(request.method ?? '', incoming.path);
      if (route && 'name' in route) {
        name = route.name;
        await this.#answer(name, route.parameters, incoming);
      } else if (route || incoming.path.startsWith('/api/')) {
        // Which routes exist is shown to authenticated clients only.
        await this.#admit(incoming);
        throw new Refusal(route ? { code: 'wrong_method', ...route } : { code: 'unknown_route' });
      } else await this.#servePage(incoming);
    } catch (thrown) {
      sendProblem(response, problemOf(thrown, onTrouble));
    }
  }

  /** Ends all streams, whose clients then reconnect; resolves when nothing is under way any more. */
  async close(): Promise<void> {
    for (const streams of this.#streams.values()) for (const stream of streams) stream.end();
    await Promise.all(Array.from(this.#underWay, (response) => once(response, 'close')));
  }

  #enter(request: IncomingMessage, response: ServerResponse): Incoming {
    const { hosts, scheme } = this.#handling;
    const problem = problemAtDoor(request, hosts, scheme);
    if (problem) throw new Refusal(problem);
    const [path = '', ...query] = (request.url ?? '').split('?');
    return { request, response, path, search: new URLSearchParams(query.join('?')) };
  }

  async #admit({ request, response }: Pick<Incoming, 'request' | 'response'>): Promise<Who> {
    const { signIn, admissions } = this.#handling;
    try {
      const { who, setCookie } = await signIn.whoIs(request);
      if (setCookie !== null) response.setHeader('set-cookie', setCookie);
      admissions.add(who.credential, response);
      this.#limitRate(who.client);
      return who;
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.problem.code === 'not_signed_in')
        this.#limitRate(addressOf(request));
      throw thrown;
    }
  }

  #limitRate(client: string): void {
    const retryAfterMs = this.#rates.take(client);
    if (retryAfterMs > 0) throw new Refusal({ code: 'too_many_requests', retryAfterMs });
  }

  async #servePage({ request, response, path }: Incoming): Promise<void> {
    this.#limitRate(addressOf(request));
    if (!(await this.#handling.page.serve(request, response, path)))
      throw new Refusal({ code: 'unknown_route' });
  }

  async #answer<N extends OperationName>(
    name: N,
    parameters: { readonly [name: string]: string },
    { request, response, search }: Incoming,
  ): Promise<void> {
    const { handlers, served, limits } = this.#handling;
    const { access, status, answer }: Operation = operations[name];
    const isOpen = access === 'public';
    if (isOpen) this.#limitRate(addressOf(request));
    const who = isOpen ? ANONYMOUS : await this.#admit({ request, response });
    const input = await readInput(name, request, { parameters, search }, limits);
    const scope = await scopeOf(name, input, served);
    const buffers = this.#buffers.of(who.name);
    const gone = goneSignal(response);
    const exchange = { request, response, buffers, gone, openStream: () => this.#openStream(who, response) };
    const send = async (reserved: Reserved | null): Promise<number> => {
      const answered = await handlers[name]({ ...input, scope, who, exchange });
      if (answered === SENT) return 0;
      const fitting = answer.safeParse(answered);
      if (!fitting.success)
        throw new Error(`the response of ${name} does not match its schema: ${fitting.error.message}`);
      return sendJson(response, status, answered, buffers, reserved);
    };
    const address = request.url ?? '';
    if (LARGE.has(name))
      await this.#largeAnswers.build({ person: who.name, address, buffers, gone, answer: send });
    else await send(null);
  }

  #openStream({ name, client }: Who, response: ServerResponse): EventStream {
    const { limits, metrics } = this.#handling;
    // It closed before a listener was registered: such a stream would never end.
    if (response.destroyed)
      throw new Refusal({ code: 'malformed_request', problem: 'the connection was closed too soon' });
    const streams = this.#streams.get(client) ?? new Set();
    const { streamsPerClient: streamsMax } = limits;
    if (streams.size >= streamsMax) throw new Refusal({ code: 'too_many_streams', streamsMax });
    const stream = new EventStream(response, limits, this.#buffers.of(name));
    this.#streams.set(client, streams.add(stream));
    metrics.streams++;
    response.on('close', () => {
      metrics.streams--;
      streams.delete(stream);
      if (streams.size === 0) this.#streams.delete(client);
    });
    return stream;
  }
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const look = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.destroyed) look();
  else response.on('close', look);
  return gone.signal;
}

/** An internal error is reported to the operator only. */
function problemOf(thrown: unknown, onTrouble: (text: string) => void): Problem {
  if (thrown instanceof Refusal) return thrown.problem;
  if (thrown instanceof JournalError || thrown instanceof ToolFailure) return thrown.failure;
  onTrouble(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  return { code: 'server_fault' };
}
