import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Journal } from '@countersign/engine';
import type { ParametersOf } from '../contract/operation.js';
import type { AnswerOf, BodyOf, QueryOf } from '../contract/operations.js';
import type { OperationName } from '../contract/routes.js';
import type { PersonBuffers } from '../http/buffers.js';
import type { EventStream } from '../http/event-stream.js';
import type { Inbox } from '../inbox/inbox.js';
import type { FactPages } from '../sessions/fact-pages.js';
import type { ScopeOf } from '../sessions/operation-scope.js';
import type { ServerPorts } from '../sessions/ports.js';
import type { ServedWorkspaces } from '../sessions/served-workspaces.js';
import type { SessionHost } from '../sessions/session-host.js';
import type { SessionList } from '../sessions/session-list.js';
import type { Who } from '../sign-in/identify.js';
import type { StoreChanges } from '../store/store-changes.js';

/** A request, read and validated. */
export type Asked<N extends OperationName> = {
  readonly parameters: ParametersOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly scope: ScopeOf<N>;
  readonly who: Who;
  readonly exchange: Exchange;
};

/** For the few handlers whose response is more than one JSON value. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client disconnects before it has its response. */
  readonly gone: AbortSignal;
  /** Begin to send events; throws a `Refusal` if the client has enough streams. The handler that opens it ends it. */
  readonly openStream: () => EventStream;
  /** What may be buffered for the user that asks. */
  readonly buffers: PersonBuffers;
};

/** Returned by a handler that has written its response itself. */
export const SENT = Symbol('sent');

/** Expected failures are thrown as a `Refusal`, or a `JournalError`. */
export type Handlers = {
  readonly [N in OperationName]: (asked: Asked<N>) => Promise<AnswerOf<N> | typeof SENT>;
};

/** What handlers work with. */
export type Parts = {
  readonly ports: ServerPorts;
  readonly journal: Journal;
  readonly changes: StoreChanges;
  readonly host: SessionHost;
  readonly inbox: Inbox;
  readonly list: SessionList;
  readonly served: ServedWorkspaces;
  readonly pages: FactPages;
};
