import type { ApiError, Result, ServerEvent } from '@countersign/server/client';

/** The state of the connection to the server. */
export type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'online' }
  | { readonly state: 'offline'; readonly error: ApiError }
  /** Trying again would not help. */
  | { readonly state: 'refused'; readonly error: ApiError };

/** A server that restarts is back within a second or two; one that stays away is asked less often. */
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 4_000;

export type Following = {
  readonly open: (signal: AbortSignal) => Promise<Result<AsyncIterable<ServerEvent>>>;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onLink: (link: Link) => void;
  /** Called for each connection; when the signal is aborted, the connection is opened again at once, with other sessions. */
  readonly renewal: () => AbortSignal;
  readonly signal: AbortSignal;
};

/** Follows a stream for as long as it is wanted: when it breaks, it is opened again. */
export async function stayConnected({ open, onEvent, onLink, renewal, signal }: Following): Promise<void> {
  let retryMs = RETRY_MS_MIN;
  while (!signal.aborted) {
    const renewed = renewal();
    const opened = await open(AbortSignal.any([signal, renewed]));
    if (opened.ok) {
      retryMs = RETRY_MS_MIN;
      onLink({ state: 'online' });
      for await (const event of opened.value) onEvent(event);
    }
    if (signal.aborted) return;
    if (renewed.aborted) continue;
    const error = opened.ok ? BROKEN : opened.error;
    if (!mayPass(error)) return onLink({ state: 'refused', error });
    onLink({ state: 'offline', error });
    await pause(retryMs, signal);
    retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
  }
}

const mayPass = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

const BROKEN: ApiError = {
  code: 'unreachable',
  message: 'The connection to the server was lost.',
  hint: 'Check that `countersign serve` is still running.',
  details: {},
  status: 0,
};

/** Ends early when the network is back, or the page becomes visible. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
}
