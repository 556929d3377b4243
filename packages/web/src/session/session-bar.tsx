import { type SessionStore, useToolScheduler } from '@countersign/react';
import type { SessionSummary } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { goTo } from '../navigation/current-route.js';
import { OneLine } from '../parts/lines.js';
import { preventingDefault } from '../parts/preventing-default.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';
import { saveAs } from '../parts/save-as.js';

/** Where a session works, and what can be done with it as a whole. */
export function SessionBar({
  summary: { sessionId, workspace, owner, served },
  store,
  isBusy,
}: {
  readonly summary: SessionSummary;
  readonly store: SessionStore;
  readonly isBusy: boolean;
}) {
  const { api, me, announcer } = useServices();
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [, , , cancelAll] = useToolScheduler(store, { by: me.name });

  const stop = async () => {
    const ack = await cancelAll();
    setProblem(ack.ok ? null : problemOf(ack.failure));
  };
  const save = async () => {
    const exported = await api.exportSession({ sessionId });
    if (!exported.ok) return setProblem(exported.error);
    setProblem(null);
    saveAs(exported.value, `${sessionId}.jsonl`);
  };
  const fork = async () => {
    const forked = await api.forkSession({ sessionId, body: {} });
    if (!forked.ok) return setProblem(forked.error);
    announcer.announce('A new session with this history.');
    goTo({ view: 'session', sessionId: forked.value.sessionId });
  };
  const remove = async () => {
    const deleted = await api.deleteSession({ sessionId });
    if (!deleted.ok) return setProblem(deleted.error);
    announcer.announce('The session is deleted.');
    goTo({ view: 'sessions' });
  };

  return (
    <>
      <div className="session-bar">
        <span className="dim workspace">
          <OneLine text={workspace} />
          {owner === 'elsewhere' && ', open in another process'}
        </span>
        <button type="button" disabled={!isBusy} onClick={() => void stop()}>
          Stop all
        </button>
        <button type="button" disabled={!served} onClick={() => void fork()}>
          Fork
        </button>
        {served && (
          <a
            className="button"
            href={api.exportAddress({ sessionId })}
            download={`${sessionId}.jsonl`}
            onClick={preventingDefault(() => void save())}
          >
            Export
          </a>
        )}
        {isDeleting ? (
          <span role="group" aria-label="Delete this session and all its events?">
            <button type="button" className="no" autoFocus onClick={() => void remove()}>
              Delete permanently
            </button>{' '}
            <button type="button" onClick={() => setDeleting(false)}>
              Keep
            </button>
          </span>
        ) : (
          <button type="button" disabled={!served} onClick={() => setDeleting(true)}>
            Delete…
          </button>
        )}
      </div>
      {problem && <Problem problem={problem} />}
    </>
  );
}
