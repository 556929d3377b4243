import type { AnswerOf } from '@countersign/server/client';
import { useEffect, useRef } from 'react';
import { Approval } from '../approval/approval.js';
import type { Asked } from '../approval/asked.js';
import { callIn } from '../approval/why.js';
import type { Gone } from '../connection/inbox-store.js';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { hashOf } from '../navigation/route.js';
import { OneLine } from '../parts/lines.js';
import { Problem } from '../parts/problem.js';
import { Moment } from '../parts/times.js';
import { useLoaded } from '../parts/use-loaded.js';
import { answerWords } from './answer-words.js';
import type { Selected } from './selected.js';

/** One question of the inbox, in full; or how it was answered, if another client was faster. */
export function InboxApproval({
  selected: { sessionId, callId },
  gone,
  onNext,
}: {
  readonly selected: Selected;
  readonly gone: Gone | null;
  readonly onNext: () => void;
}) {
  const { api, inbox } = useServices();
  const digest = useStore(inbox).approvals.find(
    (each) => each.sessionId === sessionId && each.callId === callId,
  )?.digest;
  // A question that changed is another question.
  const { loaded } = useLoaded(
    async (signal) => {
      const shown = await api.showApproval({ sessionId, callId }, { signal });
      return shown.ok ? { ok: true as const, value: asked(shown.value) } : shown;
    },
    [api, sessionId, callId, digest],
  );
  const isMine = useRef(false);
  const panel = useRef<HTMLDivElement>(null);
  const isThere = loaded.state === 'loaded';
  useEffect(() => {
    if (isThere) panel.current?.focus({ preventScroll: true });
  }, [isThere]);

  const session = (
    <p className="dim">
      In <a href={hashOf({ view: 'session', sessionId })}>session {sessionId}</a>
    </p>
  );
  // If the stream did not contain who answered, the request for the question does.
  const isAnswerKnown = gone?.answer !== null || loaded.state !== 'failed';
  if (gone !== null && !isMine.current && isAnswerKnown) return <Answered gone={gone} onNext={onNext} />;
  if (loaded.state === 'loading') return <p role="status">Loading…</p>;
  if (loaded.state === 'failed')
    return (
      <>
        <Problem problem={loaded.error} />
        {session}
      </>
    );
  return (
    <div ref={panel} tabIndex={-1} className="panel">
      <Approval
        key={loaded.value.question.digest}
        asked={loaded.value}
        hasKeys
        onGiven={() => {
          isMine.current = true;
          onNext();
        }}
      />
      {session}
    </div>
  );
}

function Answered({
  gone: { approval, answer },
  onNext,
}: {
  readonly gone: Gone;
  readonly onNext: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <section className="answered" aria-label="Answered">
      <h3 className="approval-title">
        <OneLine text={approval.title} />
      </h3>
      <p role="status">
        {answer === null ? (
          'This question is closed: the call was cancelled or answered elsewhere.'
        ) : (
          <>
            {answerWords(answer)} at <Moment at={answer.at} />.
          </>
        )}
      </p>
      <button ref={button} type="button" onClick={onNext}>
        Next
      </button>{' '}
      <a href={hashOf({ view: 'session', sessionId: approval.sessionId })}>Show the session</a>
    </section>
  );
}

const asked = (shown: AnswerOf<'showApproval'>): Asked => ({
  ...shown,
  args: callIn(shown.story)?.args ?? null,
});
