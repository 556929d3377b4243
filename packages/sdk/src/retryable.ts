import { FAILURES, type FailureCode } from '@countersign/protocol';

/** The server could not be reached, or closed the connection; a retry may succeed. */
const PASSING_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EAGAIN',
  'EBUSY',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
]);
/** Request time-out, too early, too many requests. */
const PASSING_STATUSES = new Set([408, 425, 429]);
/** Not implemented, version not supported: a retry gets the same answer. */
const LASTING_STATUSES = new Set([501, 505]);
/** Errors wrap errors; a longer chain than this has been built by mistake or in a circle. */
const CAUSES_MAX = 8;
const PASSING_WORDS =
  /\btime[d -]*out\b|\bnetwork\b|\btemporar(y|ily)\b|\bfetch failed\b|\bsocket hang up\b/i;

/**
 * Whether the same attempt may succeed later: timeouts, network errors, HTTP 429 and 5xx, and our own failures that are
 * marked transient. `AbortError` never is.
 *
 * @example
 * ```ts
 * try {
 *   await fetch('https://example.com');
 * } catch (error) {
 *   if (!isRetryableError(error)) throw error;
 * }
 * ```
 */
export function isRetryableError(error: unknown): boolean {
  return judge(error, CAUSES_MAX) ?? PASSING_WORDS.test(wordsOf(error));
}

/** The verdict by the data of the error itself, or else of its causes; undefined if they hold none. */
function judge(error: unknown, causesLeft: number): boolean | undefined {
  if (typeof error !== 'object' || error === null || causesLeft === 0) return undefined;
  const name = read(error, 'name');
  if (name === 'AbortError') return false;
  if (name === 'TimeoutError') return true;
  return judgeCode(error) ?? judgeStatus(error) ?? judgeCauses(error, causesLeft - 1);
}

function judgeCode(error: object): boolean | undefined {
  const codes = [read(error, 'code'), read(error, 'errorType'), read(read(error, 'failure'), 'code')];
  const code = codes.find((candidate) => typeof candidate === 'string');
  if (code === undefined) return undefined;
  return isFailureCode(code) ? FAILURES[code].transient === true : PASSING_CODES.has(code);
}

function judgeStatus(error: object): boolean | undefined {
  const candidates = [
    read(error, 'status'),
    read(error, 'statusCode'),
    read(read(error, 'response'), 'status'),
  ];
  const status = candidates.find((candidate) => typeof candidate === 'number');
  if (status === undefined) return undefined;
  return PASSING_STATUSES.has(status) || (status >= 500 && status <= 599 && !LASTING_STATUSES.has(status));
}

function judgeCauses(error: object, causesLeft: number): boolean | undefined {
  const errors = read(error, 'errors');
  const causes: readonly unknown[] = Array.isArray(errors) ? errors : [read(error, 'cause')];
  const verdicts = causes.map((cause) => judge(cause, causesLeft)).filter((verdict) => verdict !== undefined);
  return verdicts.length === 0 ? undefined : verdicts.some(Boolean);
}

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);

function read(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
}

/** Many libraries set no code: then the message is all there is. */
function wordsOf(error: unknown): string {
  const words = typeof error === 'string' ? error : read(error, 'message');
  return typeof words === 'string' ? words : '';
}
