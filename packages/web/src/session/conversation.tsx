import type { NoticeItem, TranscriptItem } from '@countersign/client';
import type { SessionView, StreamView } from '@countersign/react';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { OneLine } from '../parts/lines.js';
import { Moment } from '../parts/times.js';
import { CallCard } from './call-card.js';
import { MODE_WORDS } from './mode-words.js';
import { Prose } from './prose.js';

/** Rendered at first, and more with each press: a long history is not rendered to show its end. */
const ITEMS_SHOWN = 150;
/** A user this close to the end wants to follow it. */
const NEAR_END_PX = 160;

/** Messages and calls, oldest first, and the message that is being streamed. */
export function Conversation({
  sessionId,
  served,
  view,
  stream,
}: {
  readonly sessionId: string;
  readonly served: boolean;
  readonly view: SessionView;
  readonly stream: StreamView;
}) {
  const [shown, setShown] = useState(ITEMS_SHOWN);
  const { settled, open, waiting } = view;
  const hidden = Math.max(0, settled.length - shown);
  const first = waiting[0]?.request.callId;
  const isEmpty = settled.length + open.length === 0 && stream.text === '' && view.isCaughtUp;
  useStayAtEnd([settled.length, open.length, stream.text]);
  return (
    <section className="conversation" aria-label="Conversation">
      {hidden > 0 && (
        <button type="button" className="more" onClick={() => setShown(shown + ITEMS_SHOWN)}>
          {hidden} earlier entries are not shown. Show {Math.min(hidden, ITEMS_SHOWN)} more
        </button>
      )}
      {isEmpty && <p className="empty">No messages yet. Send one below, or call a tool yourself.</p>}
      <ol className="items">
        {[...settled.slice(hidden), ...open].map((item) => (
          <Item
            key={item.id}
            item={item}
            sessionId={sessionId}
            served={served}
            hasKeys={item.kind === 'call' && item.call.request.callId === first}
            live={item.kind === 'call' ? view.live.get(item.call.request.callId) : undefined}
          />
        ))}
      </ol>
      <LiveMessage stream={stream} lastStored={lastText(settled)} />
    </section>
  );
}

function lastText(items: readonly TranscriptItem[]): string | null {
  const last = items.at(-1);
  return last?.kind === 'text' ? last.text : null;
}

type ItemProps = {
  readonly item: TranscriptItem;
  readonly sessionId: string;
  readonly served: boolean;
  readonly hasKeys: boolean;
  readonly live: Parameters<typeof CallCard>[0]['live'];
};

const Item = memo(function Item({ item, sessionId, served, hasKeys, live }: ItemProps) {
  switch (item.kind) {
    case 'user':
    case 'text':
      return (
        <li className={item.kind === 'user' ? 'item user' : 'item model'}>
          <p className="speaker">
            <OneLine text={item.kind === 'user' ? item.by : item.model} /> <Moment at={item.at} />
          </p>
          <Prose text={item.text} />
        </li>
      );
    case 'thought':
      return (
        <li className="item thought">
          <details>
            <summary>Thought</summary>
            <Prose text={item.text} />
          </details>
        </li>
      );
    case 'notice':
      return (
        <li className="item notice">
          <NoticeText notice={item.notice} />
        </li>
      );
    case 'call':
      return (
        <li className="item">
          <CallCard item={item} sessionId={sessionId} served={served} hasKeys={hasKeys} live={live} />
        </li>
      );
  }
});

function NoticeText({ notice }: Pick<NoticeItem, 'notice'>) {
  switch (notice.type) {
    case 'taken_up':
      return <>Resumed after a restart.</>;
    case 'mode_changed':
      return (
        <>
          <OneLine text={notice.by} /> switched to {MODE_WORDS[notice.mode]}.
        </>
      );
    case 'compressed':
      return notice.summary === '' ? (
        <>The context was cleared: the model no longer gets earlier messages.</>
      ) : (
        <>Earlier messages were summarised for the model.</>
      );
  }
}

/** The message that is being streamed. Screen readers read it once it is stored, not in pieces. */
function LiveMessage({
  stream: { text, thought, retry, asides },
  lastStored,
}: {
  readonly stream: StreamView;
  /** The last stored message: for a moment, the streamed one may be the same. */
  readonly lastStored: string | null;
}) {
  return (
    <>
      {asides.map(({ id, as, text: aside }) => (
        <p key={id} className={`aside ${as.replaceAll(' ', '-')}`} role={as === 'error' ? 'alert' : 'status'}>
          {as === 'unfinished answer' && <strong>Unfinished: </strong>}
          <OneLine text={aside} />
        </p>
      ))}
      {text !== '' && text !== lastStored && (
        <div className="item model streaming" aria-busy="true">
          <Prose text={text} />
        </div>
      )}
      {thought !== null && (
        <p className="note">
          Thinking: <OneLine text={thought} />
        </p>
      )}
      {retry && <p className="note">The model did not respond; attempt {retry.attempt} follows.</p>}
    </>
  );
}

/** Keeps the end in view, unless the user has scrolled away from it. */
function useStayAtEnd(changes: readonly unknown[]): void {
  const isNear = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      isNear.current = scrollHeight - clientHeight - scrollTop < NEAR_END_PX;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    if (isNear.current) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, changes);
}
