import { visibleLine } from '@countersign/display';
import type { AnswerOf, Client } from '@countersign/server/client';
import { Announcer } from './connection/announcer.js';
import { InboxStore } from './connection/inbox-store.js';
import { ModelWatch } from './connection/model-watch.js';
import { ServerLink } from './connection/server-link.js';
import type { Services } from './connection/services.js';
import { SessionList } from './connection/session-list.js';
import { answerWords } from './inbox/answer-words.js';
import { notify } from './parts/notifications.js';

/** Everything that lives as long as the page: the stream of changes, and what is known from it. */
export function startServices(api: Client, me: AnswerOf<'whoAmI'>, signal: AbortSignal): Services {
  const link = new ServerLink(api);
  const inbox = new InboxStore(api, link);
  const sessions = new SessionList(api, link);
  const model = new ModelWatch(api, link, me.model, signal);
  const announcer = new Announcer();
  inbox.onAsked((approval) => {
    announcer.announce(`Needs approval: ${visibleLine(approval.title)}`, 'screen readers');
    notify(approval);
  });
  inbox.onGone(({ approval, answer }) => {
    if (answer) announcer.announce(`${answerWords(answer)}: ${visibleLine(approval.title)}`);
  });
  void link.follow(signal);
  return { api, me, model, link, inbox, sessions, announcer };
}
