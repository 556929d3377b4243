import type { AnswerOf, Client } from '@countersign/server/client';
import { createContext, useContext } from 'react';
import type { Announcer } from './announcer.js';
import type { InboxStore } from './inbox-store.js';
import type { ModelWatch } from './model-watch.js';
import type { ServerLink } from './server-link.js';
import type { SessionList } from './session-list.js';

/** The model is watched: it may change. */
export type Me = Omit<AnswerOf<'whoAmI'>, 'model'>;

/** What components reach the world by. */
export type Services = {
  readonly api: Client;
  readonly me: Me;
  readonly model: ModelWatch;
  readonly link: ServerLink;
  readonly inbox: InboxStore;
  readonly sessions: SessionList;
  readonly announcer: Announcer;
};

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('there is no server to talk to');
  return services;
}
