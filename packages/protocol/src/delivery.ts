import type { ToolCall } from './call.js';
import type { Event } from './event.js';
import type { Live } from './live.js';

/** An event with its place in the session. */
export type SequencedEvent = { readonly seq: number; readonly event: Event };

/** What a subscriber gets: events in order, and between them what is only shown while it happens. */
export type Delivery = SequencedEvent | { readonly live: Live };

/** An event together with the call that it is about, as that was right after it. */
export type Fact = SequencedEvent & { readonly call: ToolCall | undefined };
