import type { EventStream } from '../http/event-stream.js';
import { frameOf } from '../http/event-stream.js';
import type { Inbox } from './inbox.js';

/**
 * Sends what changes in the inbox. Who comes with the id of a change that is
 * still known gets what came after it; everybody else is greeted, and lists
 * what is there: whatever changes from the greeting on, they hear of.
 */
export async function followInbox(
  inbox: Inbox,
  lastEventId: string | null,
  stream: EventStream,
): Promise<void> {
  let last = lastEventId;
  while (!stream.over.aborted) {
    const changes = last === null ? null : inbox.log.after(last);
    if (changes === null) {
      last = inbox.log.last;
      await stream.send(frameOf('hello', { waiting: inbox.waiting }, last));
    } else if (changes.length === 0) await inbox.log.next(stream.over);
    else {
      last = changes.at(-1)?.id ?? last;
      await stream.send(changes.map(({ id, change }) => frameOf('change', change, id)).join(''));
    }
  }
}
