import type { ApprovalSummary } from '@countersign/server/client';
import { useEffect, useRef } from 'react';
import { type Gone, keyOf } from '../connection/inbox-store.js';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { goTo } from '../navigation/current-route.js';
import { hashOf } from '../navigation/route.js';
import { Heading } from '../parts/heading.js';
import { ShortLine } from '../parts/lines.js';
import { useShortcuts } from '../parts/shortcuts.js';
import { Since } from '../parts/times.js';
import { InboxApproval } from './inbox-approval.js';
import type { Selected } from './selected.js';

/** All open questions of all sessions; one of them in full. */
export function InboxView({ selected }: { readonly selected: Selected | null }) {
  const { inbox } = useServices();
  const { state, approvals, total, gone } = useStore(inbox);
  const key = selected === null ? null : keyOf(selected);
  const place = approvals.findIndex((each) => keyOf(each) === key);
  const lastPlace = useRef(0);
  if (place >= 0) lastPlace.current = place;

  const select = (approval: ApprovalSummary | undefined) => {
    if (approval) goTo({ view: 'approval', ...approval });
  };
  /** Selects the question that follows the answered one. */
  const next = () => {
    const left = approvals.filter((each) => keyOf(each) !== key);
    const following = left[Math.min(lastPlace.current, left.length - 1)];
    if (following) select(following);
    else goTo({ view: 'inbox' });
  };
  const down = () => select(approvals[place + 1]);
  const up = () => select(approvals[place - 1] ?? approvals[0]);
  useShortcuts({ j: down, ArrowDown: down, k: up, ArrowUp: up });

  return (
    <div className={selected === null ? 'inbox' : 'inbox has-selected'}>
      <div className="inbox-list">
        <Heading>Inbox</Heading>
        <p className="dim keys-note">
          <kbd>J</kbd> <kbd>K</kbd> move, <kbd>A</kbd> allow once, <kbd>D</kbd> decline, <kbd>?</kbd> all keys
        </p>
        {state === 'loading' && <p role="status">Loading…</p>}
        {state === 'listed' && approvals.length === 0 && (
          <p className="empty">No approvals are pending. Questions from every session appear here.</p>
        )}
        <ul className="rows">
          {approvals.map((approval) => (
            <Row key={keyOf(approval)} approval={approval} isSelected={keyOf(approval) === key} />
          ))}
        </ul>
        {total > approvals.length && (
          <button type="button" className="more" onClick={() => void inbox.more()}>
            {total - approvals.length} more are pending. Show more
          </button>
        )}
      </div>
      {selected !== null && (
        <div className="inbox-one">
          <a className="back" href="#/inbox">
            ← Inbox
          </a>
          <InboxApproval key={key} selected={selected} gone={goneAs(gone, key)} onNext={next} />
        </div>
      )}
    </div>
  );
}

const goneAs = (gone: ReadonlyMap<string, Gone>, key: string | null): Gone | null =>
  (key === null ? undefined : gone.get(key)) ?? null;

const lastName = (path: string): string => path.split('/').at(-1) ?? '';

function Row({ approval, isSelected }: { readonly approval: ApprovalSummary; readonly isSelected: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const { title, tool, risk, askedAt, sessionId, callId } = approval;
  const session = useStore(useServices().sessions).sessions.find((each) => each.sessionId === sessionId);
  return (
    <li ref={row}>
      <a
        href={hashOf({ view: 'approval', sessionId, callId })}
        className="approval-row"
        aria-current={isSelected ? 'true' : undefined}
      >
        <span className="approval-name">
          <ShortLine text={title} />
        </span>
        <span className="dim approval-facts">
          <span className="tag">{tool}</span>
          {risk !== null && risk !== 'low' && <span className={`badge risk-${risk}`}>{risk} risk</span>}
          <span>
            <Since at={askedAt} />
          </span>
          <span className="approval-of">
            {session && <ShortLine text={session.title ?? lastName(session.workspace)} />}
          </span>
        </span>
      </a>
    </li>
  );
}
