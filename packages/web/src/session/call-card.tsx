import { type CallItem, decisionText, durationText } from '@countersign/client';
import { lineOf } from '@countersign/display';
import { explain, isSettled, type Json, type Live } from '@countersign/protocol';
import { useMemo, useState } from 'react';
import { Approval } from '../approval/approval.js';
import { DiffView } from '../approval/diff-view.js';
import { Why } from '../approval/why.js';
import { useServices } from '../connection/services.js';
import { isLong, OneLine, Output, ShortLine } from '../parts/lines.js';
import { Since } from '../parts/times.js';
import { MARKS, statusText } from './call-words.js';

/** A call: its title, its status, its output, and the decision. */
export function CallCard({
  item,
  sessionId,
  served,
  hasKeys,
  live,
}: {
  readonly item: CallItem;
  readonly sessionId: string;
  readonly served: boolean;
  readonly hasKeys: boolean;
  readonly live: Live | undefined;
}) {
  const { call, title } = item;
  const { callId, name, args } = call.request;
  const [isOpen, setOpen] = useState(false);
  const decided = decisionText(item);
  return (
    <article className={`card ${call.status}`} aria-label={`${name}: ${statusText(item)}`}>
      <header>
        <span className="mark" aria-hidden="true">
          {MARKS[call.status]}
        </span>
        <h2 className="card-title">
          <span className="tag">{name}</span> <ShortLine text={title ?? JSON.stringify(args)} />
        </h2>
        <span className="call-status">
          {statusText(item)}
          {call.status === 'executing' && (
            <>
              {' '}
              <Since at={call.startedAt} />
            </>
          )}
          {item.ranMs !== null && `, ${durationText(item.ranMs)}`}
        </span>
        {!isSettled(call) && <CancelButton sessionId={sessionId} callId={callId} />}
      </header>
      {call.status === 'awaiting_approval' && call.answer === null && (
        <Approval
          key={call.question.digest}
          asked={{
            sessionId,
            callId,
            tool: name,
            title: call.plan.title,
            question: call.question,
            verdict: call.verdict,
            args,
            served,
          }}
          hasKeys={hasKeys}
        />
      )}
      {call.status === 'executing' && live && <LiveOutput live={live} />}
      <Result item={item} isOpen={isOpen} onOpen={() => setOpen(true)} />
      {decided !== null && call.status !== 'awaiting_approval' && (
        <Decided decided={decided} sessionId={sessionId} callId={callId} />
      )}
    </article>
  );
}

function CancelButton({ sessionId, callId }: { readonly sessionId: string; readonly callId: string }) {
  const { api, announcer } = useServices();
  const cancel = async () => {
    const cancelled = await api.cancel({ sessionId, body: { target: { type: 'call', callId } } });
    if (!cancelled.ok) announcer.announce(`${cancelled.error.message} ${cancelled.error.hint}`);
  };
  return (
    <button type="button" className="quiet" onClick={() => void cancel()}>
      Cancel
    </button>
  );
}

function LiveOutput({ live: { output, progress } }: { readonly live: Live }) {
  return (
    <>
      {progress && (
        <p className="progress">
          <progress
            aria-label="Progress"
            max={progress.total}
            value={progress.total ? progress.done : undefined}
          />{' '}
          {progress.total ? `${progress.done} of ${progress.total}` : progress.done}{' '}
          {progress.message && <OneLine text={progress.message} />}
        </p>
      )}
      {output && <Output text={output} from="end" isWhole={false} />}
    </>
  );
}

/** Its result, for display. */
function Result({
  item: { call },
  isOpen,
  onOpen,
}: {
  readonly item: CallItem;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const display = call.status === 'success' ? call.result.returnDisplay : null;
  const left = call.status === 'error' || call.status === 'cancelled' ? call.partial?.output : undefined;
  const change = diffIn(display);
  const text = textIn(display) ?? left ?? '';
  const failure = call.status === 'error' ? explain(call.failure) : null;
  return (
    <>
      {failure && (
        <p className="failure">
          <OneLine text={failure.message} /> <span className="dim">{failure.hint}</span>
        </p>
      )}
      {change !== null && <Change diff={change} />}
      {text.trim() !== '' && change === null && (
        <>
          <Output text={text} from="end" isWhole={isOpen} />
          {isLong(text) && !isOpen && (
            <button type="button" className="more" onClick={onOpen}>
              Show all
            </button>
          )}
        </>
      )}
    </>
  );
}

function Change({ diff }: { readonly diff: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = useMemo(
    () =>
      diff
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => lineOf(line.replaceAll('\t', '    '), 'one line')),
    [diff],
  );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What was written</summary>
      {isOpen && <DiffView lines={lines} label="What was written" />}
    </details>
  );
}

function Decided({
  decided,
  sessionId,
  callId,
}: {
  readonly decided: string;
  readonly sessionId: string;
  readonly callId: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <footer>
      <p className="decided">
        <OneLine text={decided} />{' '}
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Why?
        </button>
      </p>
      {isOpen && <Why sessionId={sessionId} callId={callId} />}
    </footer>
  );
}

function diffIn(display: Json): string | null {
  if (typeof display !== 'object' || display === null || !('fileDiff' in display)) return null;
  return typeof display.fileDiff === 'string' ? display.fileDiff : null;
}

function textIn(display: Json): string | null {
  if (display === null) return null;
  return typeof display === 'string' ? display : JSON.stringify(display, null, 2);
}
