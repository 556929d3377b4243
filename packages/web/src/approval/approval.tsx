import { type Choice, choicesOf, displayOf, type Line } from '@countersign/display';
import { useEffect, useMemo, useRef, useState } from 'react';
import { LineText, OneLine } from '../parts/lines.js';
import { Problem } from '../parts/problem.js';
import { useShortcuts } from '../parts/shortcuts.js';
import type { Asked } from './asked.js';
import { Blocks } from './blocks.js';
import { Choices } from './choices.js';
import { DeclineForm } from './decline-form.js';
import { EditArgs } from './edit-args.js';
import { EditContent } from './edit-content.js';
import { QuestionForm } from './question-form.js';
import { useAnswer } from './use-answer.js';
import { useExcerpt } from './use-excerpt.js';
import { Why } from './why.js';

/** Keys pressed before the question could be seen, such as a second press for the one before, are ignored. */
const SEEN_AFTER_MS = 400;

type Activity = 'looking' | 'editing' | 'declining';

/** The planned action, the reason for asking, and the ways to answer. A changed question has a `key` of its own. */
export function Approval({
  asked,
  hasKeys,
  onGiven = () => {},
}: {
  readonly asked: Asked;
  /** One question on a screen takes keys. */
  readonly hasKeys: boolean;
  readonly onGiven?: () => void;
}) {
  const { question, title, verdict } = asked;
  const { confirmation } = question;
  const display = useMemo(() => displayOf(title, confirmation), [title, confirmation]);
  const { state, answer } = useAnswer(asked, onGiven);
  const [activity, setActivity] = useState<Activity>('looking');
  const [isWhyOpen, setWhyOpen] = useState(false);
  // Keys are accepted before effects run: until then it counts as not shown.
  const shownAt = useRef(Infinity);
  const ways = useRef<HTMLDivElement>(null);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);

  const isForm = confirmation.type === 'ask_user';
  const choices = useMemo(() => choicesOf(question).filter((choice) => isForPage(choice, asked)), [asked]);
  const canEdit = choices.some(({ type }) => type === 'edit');
  const canAllow = choices.find(({ type }) => type === 'allow once' || type === 'agree');
  const isSettling = state.state === 'sending' || state.state === 'given';
  const seen = (act: () => void) => () => {
    const wasInView = isInView(ways.current);
    if (wasInView && performance.now() - shownAt.current > SEEN_AFTER_MS) act();
    if (!wasInView) shownAt.current = performance.now();
  };
  useShortcuts(
    {
      ...(canAllow && { a: seen(() => answer(canAllow.outcome, canAllow.payload)) }),
      ...(canEdit && { e: () => setActivity('editing') }),
      d: seen(() => setActivity('declining')),
      w: () => setWhyOpen((before) => !before),
    },
    hasKeys && activity === 'looking' && !isSettling,
  );
  const stopEditing = () => setActivity('looking');

  return (
    <section className={`approval ${confirmation.type}`} aria-label={`Approval: ${asked.title}`}>
      <h3 className={isRepeated(asked) ? 'unseen' : 'approval-title'}>
        <Title line={display.title} />
      </h3>
      <p className="because">
        <span className="tag">{asked.tool}</span> <OneLine text={verdict.reason} />
      </p>
      {display.warnings.map((warning) => (
        <p key={warning} className="warning" role="note">
          <strong>Careful:</strong> {warning}
        </p>
      ))}
      {activity === 'editing' && confirmation.type === 'edit' ? (
        <EditContent
          confirmation={confirmation}
          isSending={isSettling}
          onApprove={(newContent) => answer('proceed_once', { newContent })}
          onLeave={stopEditing}
        />
      ) : activity === 'editing' && asked.args !== null ? (
        <EditArgs
          confirmation={confirmation}
          args={asked.args}
          isSending={isSettling}
          onApprove={(args) => answer('proceed_once', { args })}
          onLeave={stopEditing}
        />
      ) : (
        !isForm && <Blocks confirmation={confirmation} blocks={display.blocks} />
      )}
      {activity === 'declining' && (
        <DeclineForm
          isSending={isSettling}
          onDecline={(payload) => answer('cancel', payload)}
          onLeave={stopEditing}
        />
      )}
      {activity === 'looking' && confirmation.type === 'ask_user' && (
        <QuestionForm
          questions={confirmation.questions}
          hasKeys={hasKeys}
          isSending={isSettling}
          onAnswer={(answers) => answer('proceed_once', { answers })}
          onDecline={() => setActivity('declining')}
        />
      )}
      {activity === 'looking' && !isForm && (
        <Choices
          ref={ways}
          choices={choices}
          display={display}
          served={asked.served}
          hasKeys={hasKeys}
          isSending={isSettling}
          onAnswer={answer}
          onEdit={() => setActivity('editing')}
          onDecline={() => setActivity('declining')}
        />
      )}
      {state.state === 'refused' && <Problem problem={state.problem} />}
      <div className="why">
        <button
          type="button"
          className="quiet"
          aria-expanded={isWhyOpen}
          onClick={() => setWhyOpen(!isWhyOpen)}
        >
          Why is this asked?{hasKeys && activity === 'looking' && <kbd>W</kbd>}
        </button>
        {isWhyOpen && <Why sessionId={asked.sessionId} callId={asked.callId} of="question" />}
      </div>
    </section>
  );
}

/** "Stop" is a box of the form for declining. What is not served here is answered once, and as it is asked. */
function isForPage(choice: Choice, { served, args }: Asked): boolean {
  switch (choice.type) {
    case 'stop':
      return false;
    case 'allow always':
      return served && choice.grant !== null;
    case 'agree':
      return served || choice.mode === 'manual';
    case 'edit':
      return served && (choice.edits === 'the content' || args !== null);
    case 'allow once':
    case 'reply':
    case 'fill in a form':
    case 'decline':
      return true;
  }
}

/** A longer title is cut; the content below shows it in full. */
const TITLE_ROWS_MAX = 3;

function Title({ line }: { readonly line: Line }) {
  const lines = useMemo(() => [line], [line]);
  const { head, leftOut, tail } = useExcerpt(lines, TITLE_ROWS_MAX);
  return (
    <>
      <LineText line={head[0] ?? []} />
      {leftOut !== null && <span className="left-out"> ⋮ {leftOut} </span>}
      <LineText line={tail[0] ?? []} />
    </>
  );
}

/** Whether it is in view; if not, scrolls to it. */
function isInView(element: HTMLElement | null): boolean {
  const { top, bottom } = element?.getBoundingClientRect() ?? { top: 0, bottom: Infinity };
  const isThere = top >= 0 && bottom <= window.innerHeight;
  if (!isThere) element?.scrollIntoView({ block: 'nearest' });
  return isThere;
}

/** A command is its own title. */
const isRepeated = ({ title, question: { confirmation } }: Asked): boolean =>
  confirmation.type === 'exec' && confirmation.command === title;
