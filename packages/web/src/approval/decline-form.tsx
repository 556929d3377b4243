import type { AnswerPayload } from '@countersign/protocol';
import { useId, useState } from 'react';
import { preventingDefault } from '../parts/preventing-default.js';

/** No, and what to do instead, if anything. */
export function DeclineForm({
  isSending,
  onDecline,
  onLeave,
}: {
  readonly isSending: boolean;
  readonly onDecline: (payload: AnswerPayload) => void;
  readonly onLeave: () => void;
}) {
  const id = useId();
  const [feedback, setFeedback] = useState('');
  const [isStop, setStop] = useState(false);
  const decline = () =>
    onDecline({
      ...(feedback.trim() !== '' && { feedback: feedback.trim() }),
      ...(isStop && { stop: true }),
    });
  return (
    <form
      className="decline"
      onSubmit={preventingDefault(() => decline())}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      <label htmlFor={id}>What should be done instead? The model receives this text. It may be empty.</label>
      <textarea
        id={id}
        rows={2}
        value={feedback}
        // The person has just asked to decline: what they do next is write, or press Enter.
        autoFocus
        onChange={(event) => setFeedback(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          decline();
        }}
      />
      <label className="check">
        <input type="checkbox" checked={isStop} onChange={(event) => setStop(event.target.checked)} />
        and stop until my next message
      </label>
      <div className="choice-row">
        <button type="submit" className="no" disabled={isSending}>
          Decline<kbd>Enter</kbd>
        </button>
        <button type="button" onClick={onLeave}>
          Back<kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}
