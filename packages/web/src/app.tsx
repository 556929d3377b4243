import type { ApiError } from '@countersign/server/client';
import { useEffect } from 'react';
import { useServices } from './connection/services.js';
import { useStore } from './connection/store.js';
import { FiguresView } from './figures/figures-view.js';
import { InboxView } from './inbox/inbox-view.js';
import { useRoute } from './navigation/current-route.js';
import type { Route } from './navigation/route.js';
import { Fault } from './parts/fault.js';
import { preventingDefault } from './parts/preventing-default.js';
import { TopBar } from './parts/top-bar.js';
import { AuditView } from './records/audit-view.js';
import { GrantsView } from './records/grants-view.js';
import { RulesView } from './records/rules-view.js';
import { SessionView } from './session/session-view.js';
import { SessionRows, SessionsView } from './session/sessions-view.js';

/** The page of a signed-in user. */
export function App({
  onRefused,
  onSignOut,
}: {
  /** The server no longer lets this browser in. */
  readonly onRefused: (problem: ApiError) => void;
  readonly onSignOut: () => Promise<ApiError | null>;
}) {
  const { link, inbox, announcer } = useServices();
  const route = useRoute();
  const linked = useStore(link);
  const { total } = useStore(inbox);
  const announcements = useStore(announcer);
  useEffect(() => {
    document.title = total > 0 ? `(${total}) Countersign` : 'Countersign';
  }, [total]);
  useEffect(() => {
    if (linked.state === 'refused') onRefused(linked.error);
  }, [linked, onRefused]);
  // Another view starts at the top.
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, [route.view]);

  return (
    <>
      {/* The address belongs to the views; this link only moves the focus. */}
      <a
        className="skip"
        href="#main"
        onClick={preventingDefault(() => document.getElementById('main')?.focus())}
      >
        Skip to the content
      </a>
      <TopBar route={route} waiting={total} link={linked} onSignOut={onSignOut} />
      {linked.state === 'offline' && (
        <p className="offline" role="status">
          {linked.error.message} The page may be out of date. Reconnecting…
        </p>
      )}
      <div className="columns">
        {route.view === 'session' && <Sidebar current={route.sessionId} />}
        <main id="main" tabIndex={-1}>
          <Fault key={route.view}>
            <View route={route} />
          </Fault>
        </main>
      </div>
      <div className="announcements" role="status" aria-live="polite">
        {announcements.map(({ id, text, to }) => (
          <p key={id} className={to === 'screen readers' ? 'unseen' : undefined}>
            {text}
            <button
              type="button"
              className="quiet"
              aria-label="Dismiss"
              onClick={() => announcer.dismiss(id)}
            >
              ×
            </button>
          </p>
        ))}
      </div>
    </>
  );
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'sessions':
      return <SessionsView />;
    case 'session':
      return <SessionView key={route.sessionId} sessionId={route.sessionId} />;
    case 'inbox':
      return <InboxView selected={null} />;
    case 'approval':
      return <InboxView selected={route} />;
    case 'grants':
      return <GrantsView />;
    case 'audit':
      return <AuditView />;
    case 'rules':
      return <RulesView />;
    case 'figures':
      return <FiguresView />;
  }
}

function Sidebar({ current }: { readonly current: string }) {
  const { sessions } = useStore(useServices().sessions);
  return (
    <nav className="sidebar" aria-label="Sessions">
      <SessionRows sessions={sessions} current={current} />
    </nav>
  );
}
