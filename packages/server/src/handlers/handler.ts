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

/** What a request asks for, read and checked. */
export type Asked<N extends OperationName> = {
  readonly parameters: ParametersOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly scope: ScopeOf<N>;
  readonly who: Who;
  readonly exchange: Exchange;
};

/** For the few whose answer is more than one JSON value. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Fires when the client is gone before it has its answer. */
  readonly gone: AbortSignal;
  /** Begin to send events; throws a `Refusal` if the client has enough streams. Who opens it ends it. */
  readonly openStream: () => EventStream;
  /** What may be held for the person that asks. */
  readonly buffers: PersonBuffers;
};

/** Said by a handler that has written its answer itself. */
export const SENT = Symbol('sent');

/** Expected failures are thrown as a `Refusal`, or a `JournalError`. */
export type Handlers<Names extends OperationName> = {
  readonly [N in Names]: (asked: Asked<N>) => Promise<AnswerOf<N> | typeof SENT>;
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
