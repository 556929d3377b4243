import { visibleLine } from '@countersign/kernel';
import type { Client } from '@countersign/server/client';
import { InboxStore } from './connection/inbox-store.js';
import { ServerLink } from './connection/server-link.js';
import type { Me, Services } from './connection/services.js';
import { SessionList } from './connection/session-list.js';
import { answerWords } from './inbox/answer-words.js';
import { Announcer } from './parts/announcer.js';
import { notify } from './parts/notifications.js';

/** Everything that lives as long as the page: the stream of changes, and what is known from it. */
export function startServices(api: Client, me: Me, signal: AbortSignal): Services {
  const link = new ServerLink(api);
  const inbox = new InboxStore(api, link);
  const sessions = new SessionList(api, link);
  const announcer = new Announcer();
  inbox.onAsked((approval) => {
    announcer.say(`Waits for approval: ${visibleLine(approval.title)}`, 'ears');
    notify(approval);
  });
  inbox.onGone(({ approval, answer }) => {
    if (answer) announcer.say(`${answerWords(answer)}: ${visibleLine(approval.title)}`);
  });
  void link.follow(signal);
  return { api, me, link, inbox, sessions, announcer };
}
