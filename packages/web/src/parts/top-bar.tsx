import type { ApiError } from '@countersign/server/client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useServices } from '../connection/services.js';
import type { Link } from '../connection/stay-connected.js';
import type { Route } from '../navigation/route.js';
import { KeysHelp } from './keys-help.js';
import { askToNotify, notificationState } from './notifications.js';
import { Options } from './options.js';
import { THEMES, useTheme } from './theme.js';

const VIEWS = [
  ['sessions', 'Sessions'],
  ['inbox', 'Inbox'],
  ['grants', 'Grants'],
  ['rules', 'Rules'],
  ['audit', 'Audit'],
  ['figures', 'Figures'],
] as const;

/** Where one can go, how the page stands with the server, and how it looks. */
export function TopBar({
  route,
  waiting,
  link,
  onSignOut,
}: {
  readonly route: Route;
  readonly waiting: number;
  readonly link: Link;
  readonly onSignOut: () => Promise<ApiError | null>;
}) {
  const { me } = useServices();
  const current = route.view === 'session' ? 'sessions' : route.view === 'approval' ? 'inbox' : route.view;
  return (
    <header className="top">
      <a className="brand" href="#/sessions">
        <img src="/icon.svg" alt="" width="20" height="20" /> Countersign
      </a>
      <nav aria-label="Views">
        {VIEWS.map(([view, label]) => (
          <ViewLink key={view} view={view} isCurrent={view === current}>
            {label}
            {view === 'inbox' && waiting > 0 && (
              <span className="count">
                {waiting}
                <span className="unseen"> waiting</span>
              </span>
            )}
          </ViewLink>
        ))}
      </nav>
      <div className="top-end">
        <span className={`link ${link.state}`}>
          <i aria-hidden="true" /> <span className="link-word">{LINK_WORDS[link.state]}</span>
          <span className="who"> as {me.name}</span>
        </span>
        <NotifyButton />
        <KeysHelp />
        <ThemeSwitch />
        <SignOutButton onSignOut={onSignOut} />
      </div>
    </header>
  );
}

/** On a phone not all fit: the one that is shown is brought into view. */
function ViewLink({
  view,
  isCurrent,
  children,
}: {
  readonly view: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isCurrent]);
  return (
    <a ref={link} href={`#/${view}`} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}

const LINK_WORDS: { readonly [state in Link['state']]: string } = {
  connecting: 'connecting',
  online: 'online',
  offline: 'offline',
  refused: 'signed out',
};

function NotifyButton() {
  const [state, setState] = useState(notificationState);
  if (state !== 'off') return null;
  return (
    <button type="button" className="quiet" onClick={() => void askToNotify().then(setState)}>
      Notify me
    </button>
  );
}

function SignOutButton({ onSignOut }: { readonly onSignOut: () => Promise<ApiError | null> }) {
  const { announcer } = useServices();
  const signOut = async () => {
    const problem = await onSignOut();
    if (problem) announcer.announce(`You are still signed in. ${problem.message} ${problem.hint}`);
  };
  return (
    <button type="button" className="quiet" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <label className="theme">
      <span className="unseen">Colours</span>
      <select
        value={theme}
        onChange={({ target }) => setTheme(THEMES.find((each) => each === target.value) ?? 'system')}
      >
        <Options of={THEMES.map((each) => [each, each])} />
      </select>
    </label>
  );
}
