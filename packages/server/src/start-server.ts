import { aboutHandlers, type PairingLink, pairingLink } from './handlers/about.js';
import { approvalHandlers } from './handlers/approvals.js';
import { auditHandlers } from './handlers/audit.js';
import { fileHandlers } from './handlers/files.js';
import { Metrics } from './handlers/metrics.js';
import { policyHandlers } from './handlers/policy.js';
import { sessionHandlers } from './handlers/sessions.js';
import { statisticsHandlers } from './handlers/statistics.js';
import { streamHandlers } from './handlers/streams.js';
import { allowedHosts, urlOf } from './http/addresses.js';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './http/limits.js';
import { type Binding, listen, schemeOf, stopListening } from './http/server.js';
import { StaticFiles } from './http/static-files.js';
import { Inbox } from './inbox/inbox.js';
import { RequestHandler } from './request-handler.js';
import { FactPages } from './sessions/fact-pages.js';
import type { ServerPorts } from './sessions/ports.js';
import { type ResumedSessions, resumeLeft } from './sessions/resume-left.js';
import { ServedWorkspaces } from './sessions/served-workspaces.js';
import { SessionHost } from './sessions/session-host.js';
import { SessionList } from './sessions/session-list.js';
import { Admissions } from './sign-in/admissions.js';
import type { BrowserRecords } from './sign-in/browser-records.js';
import { SignIn, type TokenSource } from './sign-in/sign-in.js';
import { SharedStore } from './store/shared-store.js';
import { StoreChanges } from './store/store-changes.js';

export type ServerOptions = {
  readonly ports: ServerPorts;
  readonly tokens: TokenSource;
  /** Records of signed-in browsers; without them, only tokens are accepted. */
  readonly browsers?: BrowserRecords;
  readonly binding: Binding;
  /** The directory of the page's files; null where there is none. */
  readonly page: string | null;
  readonly limits?: Partial<ServerLimits>;
};

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  /** A link that signs one browser in, once, under the name of a token. */
  readonly pair: (name: string) => PairingLink;
  /** Settles when the sessions are open that earlier runs of this server left open. */
  readonly resumed: Promise<ResumedSessions>;
  /** No model is asked from now on. For a program that is to end, and does something else before it closes the server. */
  readonly prepareToClose: () => void;
  /** Ends streams and requests, and leaves all sessions; pending approvals stay pending in the store. */
  readonly close: () => Promise<void>;
};

/** Time for requests that are in progress when the server closes. */
const CLOSING_MS = 2_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { ports, tokens, browsers, binding } = options;
  const { journal, now, onTrouble } = ports;
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const scheme = schemeOf(binding);

  const store = new SharedStore(journal);
  const changes = new StoreChanges(journal, store, onTrouble);
  const inbox = new Inbox(journal, changes, onTrouble);
  const host = new SessionHost(ports, store, limits);
  const served = new ServedWorkspaces(ports);
  const list = new SessionList(journal, inbox, host, served);
  const parts = { ports, journal, changes, host, inbox, list, served, pages: new FactPages(journal) };
  const page = await StaticFiles.from(options.page);
  const leave = async () => {
    changes.close();
    await host.close();
  };
  await changes.start();
  await inbox.start();

  let handler: RequestHandler | null = null;
  const { server, port } = await listen(binding, limits, (request, response) => {
    // The handler is set: nothing is awaited between listening and creating it.
    void handler?.handle(request, response);
  }).catch(async (thrown: unknown) => {
    await leave();
    throw thrown;
  });
  // E.g. too many open files: the next connection may succeed.
  server.on('error', ({ message }) => ports.onTrouble(`A connection could not be accepted: ${message}`));
  const bound = { ...binding, port, scheme };
  const url = urlOf(bound);
  const cookieName = `${binding.tls ? '__Host-' : ''}countersign-${port}`;
  const signIn = new SignIn({
    tokens,
    browsers: browsers ? { records: browsers, cookieName, isSecure: binding.tls !== null } : null,
    limits,
    now,
  });
  const isValid = signIn.isValid.bind(signIn);
  const admissions = new Admissions({
    isValid,
    onLook: () => signIn.tokens(),
    onTrouble,
    watched: 'while answering',
  });
  const metrics = new Metrics();
  const handlers = {
    ...aboutHandlers({ ...parts, metrics, signIn, admissions, url: () => url }),
    ...sessionHandlers(parts),
    ...approvalHandlers(parts),
    ...policyHandlers(parts),
    ...auditHandlers(parts),
    ...statisticsHandlers(parts),
    ...fileHandlers(parts),
    ...streamHandlers(parts, limits),
  };
  const hosts = allowedHosts(bound);
  const serving = new RequestHandler({
    handlers,
    served,
    signIn,
    admissions,
    page,
    metrics,
    limits,
    hosts,
    scheme,
    now,
    onTrouble,
  });
  handler = serving;

  const resumed = resumeLeft(parts, limits.resumedAtStart).catch((thrown: unknown) => {
    onTrouble(`What was left open could not be resumed: ${String(thrown)}`);
    return { resumed: [], left: 0 };
  });
  const prepareToClose = () => host.prepareToClose();
  const close = async () => {
    prepareToClose();
    admissions.close();
    await stopListening(server, CLOSING_MS, serving.close());
    await leave();
    await resumed;
  };
  const pair = (name: string) => pairingLink(signIn.pairingFor(name), url);
  return { url, port, pair, resumed, prepareToClose, close };
}
