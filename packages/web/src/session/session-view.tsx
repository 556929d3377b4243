import { type StreamView, useAgentStream, useSession, type SessionView as View } from '@countersign/react';
import type { SessionSummary } from '@countersign/server/client';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { SessionSpending } from '../figures/session-spending.js';
import { Heading } from '../parts/heading.js';
import { OneLine, ShortLine } from '../parts/lines.js';
import { Problem } from '../parts/problem.js';
import { useLoaded } from '../parts/use-loaded.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { LeftOpen } from './left-open.js';
import { SessionBar } from './session-bar.js';
import { AgendaPanel } from './topic-and-todos.js';
import { useRemoteSession } from './use-remote-session.js';

/** One session: its messages and calls, its open questions, and the form to continue. */
export function SessionView({ sessionId }: { readonly sessionId: string }) {
  const { api } = useServices();
  const { loaded } = useLoaded((signal) => api.showSession({ sessionId }, { signal }), [api, sessionId]);
  if (loaded.state === 'loading')
    return (
      <>
        <Heading>Session</Heading>
        <p role="status">Loading…</p>
      </>
    );
  if (loaded.state === 'failed')
    return (
      <>
        <Heading>Session</Heading>
        <Problem problem={loaded.error} />
        <a href="#/sessions">All sessions</a>
      </>
    );
  return <OpenSession key={sessionId} first={loaded.value} />;
}

function OpenSession({ first }: { readonly first: SessionSummary }) {
  const { sessionId } = first;
  const { sessions } = useServices();
  const { store, stream, refused } = useRemoteSession(sessionId, first.seq);
  const view = useSession(store);
  const live = useAgentStream(stream);
  const summary = useStore(sessions).sessions.find((each) => each.sessionId === sessionId) ?? first;
  return (
    <div className="session">
      <Heading>
        {summary.title === null ? `Session ${sessionId}` : <ShortLine text={summary.title} />}
      </Heading>
      <SessionBar summary={summary} store={store} isBusy={isBusy(summary, view, live)} />
      {summary.served && (
        <SessionSpending sessionId={sessionId} progress={`${summary.state} ${view.settled.length}`} />
      )}
      <LeftOpen summary={summary} />
      <AgendaPanel agenda={view.agenda} />
      {refused && <Problem problem={refused} />}
      {!view.isCaughtUp && <p role="status">Reading the history…</p>}
      <Conversation sessionId={sessionId} served={summary.served} view={view} stream={live} />
      {summary.served ? (
        <Composer store={store} workspace={summary.workspace} mode={view.mode} />
      ) : (
        <p className="elsewhere" role="note">
          This session works in <OneLine text={summary.workspace} />, which this server does not serve. You
          can watch it, answer its questions once and unchanged, and stop it; for anything else, go to where
          it was started, or start <code>countersign serve</code> with that folder.
        </p>
      )}
    </div>
  );
}

/** The server also knows of a model that has not responded yet. */
const isBusy = ({ state }: SessionSummary, { open }: View, { text, thought, retry }: StreamView): boolean =>
  state === 'working' || open.length > 0 || text !== '' || thought !== null || retry !== null;
