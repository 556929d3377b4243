import { useSyncExternalStore } from 'react';
import { hashOf, type Route, routeIn } from './route.js';

export const goTo = (route: Route): void => {
  window.location.hash = hashOf(route);
};

export const useRoute = (): Route => routeIn(useSyncExternalStore(onHashChange, () => window.location.hash));

function onHashChange(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
