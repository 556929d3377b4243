import { type Display, visibleLine } from '@countersign/display';
import type { Confirmation, Offer, Question } from '@countersign/protocol';
import type { Ref } from 'react';
import type { Answering } from './asked.js';

/** The ways to answer; each "always" says how far it reaches. */
export function Choices({
  ref,
  question,
  display,
  canEdit,
  served,
  hasKeys,
  isSending,
  onAnswer,
  onEdit,
  onDecline,
}: {
  readonly ref: Ref<HTMLDivElement>;
  readonly question: Question;
  readonly display: Display;
  readonly canEdit: boolean;
  readonly served: boolean;
  readonly hasKeys: boolean;
  readonly isSending: boolean;
  readonly onAnswer: Answering;
  readonly onEdit: () => void;
  readonly onDecline: () => void;
}) {
  const { confirmation, offers } = question;
  const always = display.canApprove && served ? offers.filter(isStanding) : [];
  return (
    <div ref={ref} className="choices" role="group" aria-label={display.asks}>
      <div className="choice-row">
        {display.canApprove && confirmation.type === 'exit_plan_mode' && (
          <PlanChoices served={served} isSending={isSending} onAnswer={onAnswer} />
        )}
        {display.canApprove && confirmation.type !== 'exit_plan_mode' && (
          <button type="button" className="yes" disabled={isSending} onClick={() => onAnswer('proceed_once')}>
            Allow once{hasKeys && <kbd>A</kbd>}
          </button>
        )}
        {canEdit && (
          <button type="button" disabled={isSending} onClick={onEdit}>
            {EDIT_WORDS[confirmation.type]}
            {hasKeys && <kbd>E</kbd>}
          </button>
        )}
        <button type="button" className="no" disabled={isSending} onClick={onDecline}>
          Decline{hasKeys && <kbd>D</kbd>}
        </button>
      </div>
      {!served && (
        <p className="dim">
          Its folder is not served here, so it can only be answered once and unchanged. Changing it, or
          allowing it always, is done where the session was started.
        </p>
      )}
      {always.map(({ outcome, grant }) => (
        <button
          key={outcome}
          type="button"
          className="always"
          disabled={isSending}
          onClick={() => onAnswer(outcome)}
        >
          <strong>Allow always</strong> {grant ? visibleLine(grant.text) : ''}
        </button>
      ))}
    </div>
  );
}

const isStanding = ({ outcome, grant }: Offer): boolean =>
  outcome.startsWith('proceed_always') && grant !== null;

const EDIT_WORDS: { readonly [type in Confirmation['type']]: string } = {
  edit: 'Edit, then allow',
  exec: 'Change the command',
  mcp: 'Change the arguments',
  info: 'Change the arguments',
  ask_user: 'Change the questions',
  exit_plan_mode: 'Change the plan',
};

/** An approval of a plan also chooses how it is carried out. */
function PlanChoices({
  served,
  isSending,
  onAnswer,
}: {
  readonly served: boolean;
  readonly isSending: boolean;
  readonly onAnswer: Answering;
}) {
  const agree = (approvalMode: string) => onAnswer('proceed_once', { answers: { approvalMode } });
  return (
    <>
      <button type="button" className="yes" disabled={isSending} onClick={() => agree('manual')}>
        Agree, and ask about each change
      </button>
      {served && (
        <button type="button" disabled={isSending} onClick={() => agree('auto_edit')}>
          Agree, and let edits in the workspace through
        </button>
      )}
    </>
  );
}
