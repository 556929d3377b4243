import type { AnswerOf, Client } from '@countersign/server/client';
import { createContext, useContext } from 'react';
import type { Announcer } from '../parts/announcer.js';
import type { InboxStore } from './inbox-store.js';
import type { ServerLink } from './server-link.js';
import type { SessionList } from './session-list.js';

export type Me = AnswerOf<'whoAmI'>;

/** What components reach the world by. */
export type Services = {
  readonly api: Client;
  readonly me: Me;
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
