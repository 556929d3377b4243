import { jsonOf } from '../http/event-stream.js';
import type { Subscriber } from '../http/subscriber.js';
import type { Inbox } from './inbox.js';

/**
 * Sends changes of the inbox. A client with the id of a change that is still kept receives the changes after it; any
 * other client receives `hello`, lists the inbox, and receives every change since `hello`.
 */
export async function followInbox(
  inbox: Inbox,
  lastId: string | null,
  subscriber: Subscriber,
): Promise<void> {
  const { over, send } = subscriber;
  let last = lastId;
  while (!over.aborted) {
    const changes = last === null ? null : inbox.log.after(last);
    if (changes === null) {
      last = inbox.log.last;
      await send([{ event: 'hello', json: JSON.stringify({ waiting: inbox.waiting }), id: last }]);
    } else if (changes.length === 0) await inbox.log.next(over);
    else {
      last = changes.at(-1)?.id ?? last;
      await send(changes.map(({ id, change }) => ({ event: 'change', json: jsonOf(change), id })));
    }
  }
}
