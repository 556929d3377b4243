import { type Followed, followedText } from '../contract/followed.js';
import type { ParametersOf } from '../contract/operation.js';
import type { AnswerOf, BodyOf, QueryOf } from '../contract/operations.js';
import { OPERATION_NAMES, type OperationName, PAGE_HEADER, ROUTES } from '../contract/routes.js';
import { readEvents, type ServerEvent } from './read-events.js';

export type ApiError = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly details: { readonly [name: string]: unknown };
  /** Of the answer; 0 if there was none. */
  readonly status: number;
};
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ApiError };

type StreamOperation = 'followSession' | 'follow' | 'exportSession' | 'metrics';
export type CallOperation = Exclude<OperationName, StreamOperation>;

/** Path and query fields as one, and the body beside them where there is one. */
export type InputOf<N extends OperationName> = ParametersOf<N> &
  QueryOf<N> &
  (BodyOf<N> extends null ? unknown : { readonly body: BodyOf<N> });

export type Client = {
  readonly [N in CallOperation]: (
    input: InputOf<N>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Result<AnswerOf<N>>>;
} & {
  /**
   * Ends when the server does, the connection breaks, or with the signal; to continue, call it again with the last id.
   * With `sessions`, that id counts for the inbox only; each session begins after its `after`.
   */
  readonly events: (
    of: Followed | 'inbox' | { readonly sessions: readonly Followed[] },
    options: { readonly lastEventId?: string; readonly signal: AbortSignal },
  ) => Promise<Result<AsyncIterable<ServerEvent>>>;
  /** All facts of a session, one JSON object a line. */
  readonly exportSession: (
    of: { readonly sessionId: string },
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Result<Blob>>;
  /** Where programs find the same, with their token. */
  readonly exportAddress: (of: { readonly sessionId: string }) => string;
};

export type ClientOptions = {
  /** Where the server is; omitted in its own page. */
  readonly url?: string;
  /** Of a program; omitted in a browser. */
  readonly token?: string;
  /** Of a browser that is signed in: the secret that goes with its cookie, asked for with each request. */
  readonly secret?: () => string | null;
};

/** Everything the server can do, typed by the schemas that it checks requests and answers against. */
export function createClient({ url = '', token, secret = () => null }: ClientOptions = {}): Client {
  const credentials = (): Record<string, string> => {
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    const kept = secret();
    return kept === null ? {} : { [PAGE_HEADER]: kept };
  };

  async function send(name: OperationName, input: Fields, options: Sending): Promise<Result<Response>> {
    const { method, address } = addressOf(name, input);
    const hasBody = input['body'] !== undefined;
    try {
      const { signal, lastEventId } = options;
      const response = await fetch(`${url}${address}`, {
        method,
        credentials: 'same-origin',
        ...(signal && { signal }),
        headers: {
          ...credentials(),
          ...(hasBody && { 'content-type': 'application/json' }),
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        ...(hasBody && { body: JSON.stringify(input['body']) }),
      });
      return response.ok ? { ok: true, value: response } : { ok: false, error: await errorIn(response) };
    } catch (thrown) {
      return { ok: false, error: unreachable(thrown) };
    }
  }

  const call =
    <T>(name: OperationName, read: (response: Response) => Promise<T>) =>
    async (input: Fields, options: Sending = {}): Promise<Result<T>> => {
      const answered = await send(name, input, options);
      if (!answered.ok) return answered;
      try {
        return { ok: true, value: await read(answered.value) };
      } catch (thrown) {
        // The connection broke, or the signal was aborted, in the middle of the response.
        return { ok: false, error: unreachable(thrown) };
      }
    };
  const json = (response: Response): Promise<unknown> => response.json();
  const calls = Object.fromEntries(OPERATION_NAMES.map((name) => [name, call(name, json)]));

  const events: Client['events'] = async (of, { lastEventId, signal }) => {
    const isMany = of !== 'inbox' && 'sessions' in of;
    const sessions = isMany ? followedText(of.sessions) : '';
    const name = of === 'inbox' || isMany ? 'follow' : 'followSession';
    const fields = of === 'inbox' || isMany ? { ...(sessions !== '' && { sessions }) } : of;
    const last = isMany ? lastEventId?.split('&')[0] : lastEventId;
    const answered = await send(
      name,
      fields,
      last === undefined ? { signal } : { signal, lastEventId: last },
    );
    return answered.ok ? { ok: true, value: readEvents(answered.value, signal) } : answered;
  };
  const exportSession: Client['exportSession'] = call('exportSession', (response) => response.blob());
  const exportAddress: Client['exportAddress'] = (of) => `${url}${addressOf('exportSession', of).address}`;
  // Each is made from the route of its name, as its type states.
  return { ...calls, events, exportSession, exportAddress } as unknown as Client;
}

type Sending = { readonly signal?: AbortSignal; readonly lastEventId?: string };
/** What stands in an address is text or a number; `body` is whatever it is. */
type Fields = { readonly [name: string]: unknown };

function addressOf(
  name: OperationName,
  input: Fields,
): { readonly method: string; readonly address: string } {
  const [method = '', route = ''] = ROUTES[name].address.split(' ');
  const inPath = new Set(['body']);
  const path = route.replace(/\{(\w+)\}/g, (_, field: string) => {
    inPath.add(field);
    return encodeURIComponent(String(input[field]));
  });
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input))
    if (!inPath.has(field) && (typeof value === 'string' || typeof value === 'number'))
      query.set(field, `${value}`);
  const search = query.toString();
  return { method, address: search === '' ? path : `${path}?${search}` };
}

async function errorIn(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const { status } = response;
  if (typeof body === 'object' && body !== null && 'error' in body && isError(body.error))
    return { ...body.error, status };
  return {
    code: 'no_answer',
    message: `The server answered ${status}.`,
    hint: 'Try again.',
    details: {},
    status,
  };
}

const isError = (value: unknown): value is Omit<ApiError, 'status'> =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value && 'hint' in value;

const unreachable = (thrown: unknown): ApiError => ({
  code: 'unreachable',
  message: `The server cannot be reached${thrown instanceof Error ? `: ${thrown.message}` : ''}.`,
  hint: 'Check that `countersign serve` is still running.',
  details: {},
  status: 0,
});
