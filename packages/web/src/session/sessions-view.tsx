import type { ApprovalMode } from '@countersign/protocol';
import type { SessionSummary } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { goTo } from '../navigation/current-route.js';
import { hashOf } from '../navigation/route.js';
import { Heading } from '../parts/heading.js';
import { OneLine, ShortLine } from '../parts/lines.js';
import { preventingDefault } from '../parts/preventing-default.js';
import { Problem, type ProblemText } from '../parts/problem.js';
import { Moment } from '../parts/times.js';
import { ModeOptions, modeOf } from './mode-options.js';
import { NoModel } from './no-model.js';

/** All sessions, and how to begin one. */
export function SessionsView() {
  const { sessions } = useServices();
  const { state, sessions: listed, hasMore } = useStore(sessions);
  return (
    <>
      <Heading>Sessions</Heading>
      <NoModel />
      <NewSession isFirst={state === 'listed' && listed.length === 0} />
      {state === 'loading' && <p role="status">Loading…</p>}
      <SessionRows sessions={listed} />
      {hasMore && (
        <button type="button" className="more" onClick={() => void sessions.more()}>
          Show older sessions
        </button>
      )}
    </>
  );
}

export function SessionRows({
  sessions,
  current,
}: {
  readonly sessions: readonly SessionSummary[];
  readonly current?: string | undefined;
}) {
  const { approvals } = useStore(useServices().inbox);
  return (
    <ul className="rows sessions">
      {sessions.map((session) => {
        const waiting = approvals.filter(({ sessionId }) => sessionId === session.sessionId).length;
        return (
          <li key={session.sessionId}>
            <a
              href={hashOf({ view: 'session', sessionId: session.sessionId })}
              aria-current={session.sessionId === current ? 'page' : undefined}
            >
              <span className="session-title">
                {session.title === null ? (
                  <span className="dim">Session {session.sessionId}</span>
                ) : (
                  <ShortLine text={session.title} />
                )}
              </span>
              <span className="session-facts">
                <State session={session} waiting={waiting} />
                <span className="dim">
                  <OneLine text={session.workspace.split('/').at(-1) ?? ''} /> ·{' '}
                  <Moment at={session.updatedAt} />
                </span>
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function State({ session, waiting }: { readonly session: SessionSummary; readonly waiting: number }) {
  if (waiting > 0) return <span className="badge ask_user">{waiting} to approve</span>;
  if (session.state === 'working') return <span className="badge working">working</span>;
  if (session.state === 'interrupted') return <span className="badge ask_user">interrupted</span>;
  return (
    <span className="badge idle">{session.owner === 'elsewhere' ? 'idle, open elsewhere' : 'idle'}</span>
  );
}

function NewSession({ isFirst }: { readonly isFirst: boolean }) {
  const { api, me } = useServices();
  const [workspace, setWorkspace] = useState(me.workspaces[0] ?? '');
  const [mode, setMode] = useState<ApprovalMode | ''>('');
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const [isBusy, setBusy] = useState(false);

  const begin = async (what: 'empty' | 'demonstration') => {
    setBusy(true);
    const begun =
      what === 'demonstration'
        ? await api.startDemonstration({ body: {} })
        : await api.createSession({ body: { workspace, ...(mode !== '' && { mode }) } });
    setBusy(false);
    setProblem(begun.ok ? null : begun.error);
    if (begun.ok) goTo({ view: 'session', sessionId: begun.value.sessionId });
  };
  return (
    <form className="new-session" onSubmit={preventingDefault(() => void begin('empty'))}>
      {isFirst && (
        <p className="lead">
          There is no session yet. Start one, or watch the demonstration: a scripted model works in a
          temporary folder, with the real tools and rules, and you are asked before it changes something.
        </p>
      )}
      <label>
        Workspace
        <select value={workspace} onChange={({ target }) => setWorkspace(target.value)}>
          {me.workspaces.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        Mode
        <select value={mode} onChange={({ target }) => setMode(modeOf(target.value) ?? '')}>
          <option value="">default</option>
          <ModeOptions />
        </select>
      </label>
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isBusy}>
          New session
        </button>
        <button type="button" disabled={isBusy} onClick={() => void begin('demonstration')}>
          Demonstration
        </button>
      </div>
      {problem && <Problem problem={problem} />}
    </form>
  );
}
