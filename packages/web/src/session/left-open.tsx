import { leftText } from '@countersign/client';
import type { SessionSummary } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { Problem, type ProblemText } from '../parts/problem.js';

/** Work that a process which ended left open, and the button that continues it here. */
export function LeftOpen({
  summary: { sessionId, frontEnd, left, served },
}: {
  readonly summary: SessionSummary;
}) {
  const { api, sessions, announcer } = useServices();
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Questions alone wait for a person, not for a process.
  if (left === null || (left.running + left.queued === 0 && !left.unanswered)) return null;

  const resume = async () => {
    setBusy(true);
    const resumed = await api.resumeSession({ sessionId, body: {} });
    setBusy(false);
    setProblem(resumed.ok ? null : resumed.error);
    if (!resumed.ok) return;
    announcer.announce('The session continues.');
    sessions.lookSoon();
  };
  return (
    <>
      <div className="elsewhere" role="note">
        No process works on this session. When its process{frontEnd === null ? '' : ` (${frontEnd})`} ended,{' '}
        {leftText(left)}.{' '}
        <button type="button" disabled={isBusy || !served} onClick={() => void resume()}>
          Resume
        </button>
      </div>
      {problem && <Problem problem={problem} />}
    </>
  );
}
