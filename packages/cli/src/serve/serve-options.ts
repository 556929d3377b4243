import { DEFAULT_PORT } from '../compose/own-ports.js';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { expectNoMore, readOptions, readPort } from '../options/options.js';
import { workspaceRequest } from '../options/places.js';
import { readSessionOptions, SESSION_OPTIONS } from '../options/session-options.js';

export const DEFAULT_ADDRESS = '127.0.0.1';

export type ServeOptions = ReturnType<typeof readServeOptions>;

export function readServeOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('serve', args, {
    port: { type: 'string' },
    address: { type: 'string' },
    'host-name': { type: 'string', multiple: true },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'expose-without-tls': { type: 'boolean' },
    workspace: { type: 'string', multiple: true },
    ...SESSION_OPTIONS,
    model: { type: 'string', short: 'm' },
    page: { type: 'string' },
    'fake-responses': { type: 'string' },
  });
  expectNoMore('serve', positionals);
  if ((values['tls-cert'] === undefined) !== (values['tls-key'] === undefined))
    throw usage('TLS needs a certificate and its key', '--tls-cert FILE --tls-key FILE');
  return {
    port: readPort(values.port) ?? DEFAULT_PORT,
    /** 'usual': any free port may replace it. */
    portIs: values.port === undefined ? ('usual' as const) : ('wanted' as const),
    address: values.address ?? DEFAULT_ADDRESS,
    hostNames: values['host-name'] ?? [],
    tls:
      values['tls-cert'] && values['tls-key'] ? { cert: values['tls-cert'], key: values['tls-key'] } : null,
    exposure: values['expose-without-tls'] ? ('open to others' as const) : ('this machine' as const),
    workspaces: (values.workspace ?? [undefined]).map((named) => workspaceRequest(named, io)),
    modelFlag: values.model,
    fakeResponses: values['fake-responses'],
    page: values.page,
    ...readSessionOptions(values),
  };
}
