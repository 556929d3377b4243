import { visible } from '@countersign/display';
import type { Confirmation, JsonObject } from '@countersign/protocol';
import { useId, useState } from 'react';
import { preventingDefault } from '../parts/preventing-default.js';
import { readArgs } from '../parts/read-args.js';

/** What a command, or any other call, is to be run with instead. */
export function EditArgs({
  confirmation,
  args,
  isSending,
  onApprove,
  onLeave,
}: {
  readonly confirmation: Confirmation;
  readonly args: JsonObject;
  readonly isSending: boolean;
  readonly onApprove: (args: JsonObject) => void;
  readonly onLeave: () => void;
}) {
  const id = useId();
  const { command } = args;
  const isCommand = confirmation.type === 'exec' && typeof command === 'string';
  const [text, setText] = useState(() => (isCommand ? command : JSON.stringify(args, null, 2)));
  const read = isCommand ? { args: { ...args, command: text }, problem: null } : readArgs(text);
  const { problem } = read;
  const approve = () => {
    if (read.args && !isSending) onApprove(read.args);
  };
  return (
    <form className="editing" onSubmit={preventingDefault(() => approve())}>
      <label htmlFor={id}>{isCommand ? 'The command that will run' : 'The arguments, as JSON'}</label>
      <textarea
        id={id}
        className="mono"
        rows={Math.min(20, Math.max(2, text.split('\n').length + 1))}
        value={text}
        spellCheck={false}
        autoFocus
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onLeave();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) approve();
        }}
      />
      {/* A text field draws characters as they are, so it hides invisible ones. */}
      {visible(text) !== text && (
        <pre className="output" aria-label="The text, with all characters that a text field does not show">
          {visible(text)}
        </pre>
      )}
      <p id={`${id}-problem`} className="note">
        {problem ?? 'The rules are checked again before it runs.'}
      </p>
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending || problem !== null}>
          Allow as changed<kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={onLeave}>
          Back without changes
        </button>
      </div>
    </form>
  );
}
