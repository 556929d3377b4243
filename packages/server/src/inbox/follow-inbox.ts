import { jsonOf } from '../http/event-stream.js';
import type { Hearer } from '../http/hearer.js';
import type { Inbox } from './inbox.js';

/**
 * Tells what changes in the inbox. Who comes with the id of a change that is
 * still known gets what came after it; everybody else is greeted, and lists
 * what is there: whatever changes from the greeting on, they learn of.
 */
export async function followInbox(inbox: Inbox, lastId: string | null, hearer: Hearer): Promise<void> {
  const { over, send } = hearer;
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
