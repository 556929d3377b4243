import { factText, momentOf } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import type { AnswerOf, ApiError } from '@countersign/server/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useServices } from '../connection/services.js';
import { hashOf } from '../navigation/route.js';
import { Heading } from '../parts/heading.js';
import { OneLine, Output } from '../parts/lines.js';
import { Options } from '../parts/options.js';
import { Problem } from '../parts/problem.js';
import { Moment } from '../parts/times.js';

type Fact = AnswerOf<'listFacts'>['facts'][number];
type Filter = { readonly type: string; readonly by: string; readonly sessionId: string };

const EVERYTHING: Filter = { type: '', by: '', sessionId: '' };
const KINDS = [
  ['', 'Everything'],
  ['call.answered', 'Answers'],
  ['call', 'Calls'],
  ['grant', 'Grants'],
  ['mode', 'Changes of mode'],
  ['message', 'Messages'],
  ['session', 'Sessions started and resumed'],
] as const;
const PAGE = 100;
/** Waits until the user has stopped typing. */
const TYPING_MS = 250;

/** The stored events: the user or program, the action, the time and the reason. */
export function AuditView() {
  const { api } = useServices();
  const [filter, setFilter] = useState(EVERYTHING);
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [state, setState] = useState<'loading' | 'loaded' | ApiError>('loading');
  const latest = useRef(0);

  const load = useCallback(
    async (cursor: string | null) => {
      const round = ++latest.current;
      setState('loading');
      const listed = await api.listFacts({
        limit: PAGE,
        ...given('type', filter.type),
        ...given('by', filter.by.trim()),
        ...given('sessionId', filter.sessionId.trim()),
        ...(cursor !== null && { cursor }),
      });
      if (round !== latest.current) return;
      if (!listed.ok) return setState(listed.error);
      setFacts((before) => (cursor === null ? listed.value.facts : [...before, ...listed.value.facts]));
      setNext(listed.value.next);
      setState('loaded');
    },
    [api, filter],
  );
  useEffect(() => {
    const timer = setTimeout(() => void load(null), filter === EVERYTHING ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [load, filter]);

  return (
    <>
      <Heading>Audit trail</Heading>
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          What
          <select value={filter.type} onChange={({ target }) => setFilter({ ...filter, type: target.value })}>
            <Options of={KINDS} />
          </select>
        </label>
        <label>
          By
          <input value={filter.by} onChange={({ target }) => setFilter({ ...filter, by: target.value })} />
        </label>
        <label>
          Session
          <input
            value={filter.sessionId}
            onChange={({ target }) => setFilter({ ...filter, sessionId: target.value })}
          />
        </label>
      </form>
      {typeof state === 'object' && <Problem problem={state} />}
      <ol className="rows facts">
        {facts.map((fact) => (
          <FactRow key={`${fact.sessionId} ${fact.seq}`} fact={fact} />
        ))}
      </ol>
      {state === 'loaded' && facts.length === 0 && next === null && (
        <p className="empty">No matching events.</p>
      )}
      {state === 'loading' && <p role="status">Loading…</p>}
      {state === 'loaded' && next !== null && (
        <button type="button" className="more" onClick={() => void load(next)}>
          Search further
        </button>
      )}
    </>
  );
}

const given = <K extends string>(name: K, value: string): { readonly [key in K]?: string } =>
  value === '' ? {} : ({ [name]: value } as { readonly [key in K]?: string });

function FactRow({ fact: { sessionId, seq, event } }: { readonly fact: Fact }) {
  const [isOpen, setOpen] = useState(false);
  const at = momentOf(event);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="when">{at !== null && <Moment at={at} />}</span>
          <span className="fact-type">{event.type}</span>
          <span className="fact-text">
            {factText(event)} {'callId' in event && <span className="dim">{visibleLine(event.callId)}</span>}
          </span>
        </summary>
        {isOpen && (
          <>
            <p className="dim">
              Fact {seq} of{' '}
              <a href={hashOf({ view: 'session', sessionId })}>
                <OneLine text={sessionId} />
              </a>
            </p>
            <Output text={JSON.stringify(event, null, 2)} from="start" isWhole />
          </>
        )}
      </details>
    </li>
  );
}
