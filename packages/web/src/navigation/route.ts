/** Which view is shown; it stands behind the # of the address, so that links and the back button work. */
export type Route =
  | { readonly view: 'sessions' }
  | { readonly view: 'session'; readonly sessionId: string }
  | { readonly view: 'inbox' }
  | { readonly view: 'approval'; readonly sessionId: string; readonly callId: string }
  | { readonly view: 'grants' | 'audit' | 'rules' | 'figures' };

export function routeIn(hash: string): Route {
  const [view = '', first, second] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  switch (view) {
    case 'sessions':
      return first ? { view: 'session', sessionId: first } : { view: 'sessions' };
    case 'inbox':
      return first && second ? { view: 'approval', sessionId: first, callId: second } : { view: 'inbox' };
    case 'grants':
    case 'audit':
    case 'rules':
    case 'figures':
      return { view };
    default:
      return { view: 'sessions' };
  }
}

export function hashOf(route: Route): string {
  switch (route.view) {
    case 'session':
      return `#/sessions/${encodeURIComponent(route.sessionId)}`;
    case 'approval':
      return `#/inbox/${encodeURIComponent(route.sessionId)}/${encodeURIComponent(route.callId)}`;
    default:
      return `#/${route.view}`;
  }
}

/** Half an escape is shown as it stands; it names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
