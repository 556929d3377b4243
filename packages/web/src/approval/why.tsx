import { factText, momentOf } from '@countersign/client';
import type { Event, JsonObject } from '@countersign/protocol';
import type { AnswerOf } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { Problem } from '../parts/problem.js';
import { Moment } from '../parts/times.js';
import { useLoaded } from '../parts/use-loaded.js';
import { Explanation } from './explanation.js';

/** How a call was decided, from the journal; and how the current rules decide about it. */
export function Why({
  sessionId,
  callId,
  of = 'call',
}: {
  readonly sessionId: string;
  readonly callId: string;
  /** 'question': an open one, whose story is readable in every folder. */
  readonly of?: 'question' | 'call';
}) {
  const { api } = useServices();
  const { loaded } = useLoaded(
    async (signal) => {
      if (of === 'call') return api.explainCall({ sessionId, callId }, { signal });
      const shown = await api.showApproval({ sessionId, callId }, { signal });
      return shown.ok ? { ok: true as const, value: shown.value.story } : shown;
    },
    [api, sessionId, callId, of],
  );
  if (loaded.state === 'loading') return <p role="status">Reading the journal…</p>;
  if (loaded.state === 'failed') return <Problem problem={loaded.error} />;
  const { facts } = loaded.value;
  return (
    <div className="story">
      <ol>
        {facts.map(({ seq, event }) => (
          <li key={seq}>
            <span className="when">
              <FactTime event={event} />
            </span>{' '}
            {factText(event)}
          </li>
        ))}
      </ol>
      <RulesNow sessionId={sessionId} story={loaded.value} />
    </div>
  );
}

function FactTime({ event }: { readonly event: Event }) {
  const at = momentOf(event);
  return at === null ? null : <Moment at={at} />;
}

function RulesNow({
  sessionId,
  story,
}: {
  readonly sessionId: string;
  readonly story: AnswerOf<'explainCall'>;
}) {
  const { api, sessions } = useServices();
  const workspace = useStore(sessions).sessions.find((each) => each.sessionId === sessionId)?.workspace;
  const [explained, setExplained] = useState<Awaited<ReturnType<typeof api.explainPolicy>> | null>(null);
  const call = callIn(story);
  if (call === null) return null;
  const look = async () => {
    const { mode } = story;
    setExplained(
      await api.explainPolicy({
        body: {
          call,
          sessionId,
          ...(workspace !== undefined && { workspace }),
          ...(mode !== null && { mode }),
        },
      }),
    );
  };
  return (
    <>
      <button type="button" className="quiet" onClick={() => void look()}>
        Show every rule that was considered
      </button>
      {explained && !explained.ok && <Problem problem={explained.error} />}
      {explained?.ok && <Explanation explained={explained.value} />}
    </>
  );
}

/** The call, with its current arguments. */
export function callIn({ facts }: Pick<AnswerOf<'explainCall'>, 'facts'>): {
  readonly tool: string;
  readonly args: JsonObject;
} | null {
  let call: { readonly tool: string; readonly args: JsonObject } | null = null;
  for (const { event } of facts) {
    if (event.type === 'call.requested') call = { tool: event.request.name, args: event.request.args };
    if (event.type === 'call.rewritten' && call) call = { ...call, args: event.args };
  }
  return call;
}
