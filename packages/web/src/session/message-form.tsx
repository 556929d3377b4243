import type { SessionStore } from '@countersign/react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useServices } from '../connection/services.js';
import { OneLine } from '../parts/lines.js';
import { preventingDefault } from '../parts/preventing-default.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';
import { MENTION, useMentioned } from './use-mentioned.js';

/** Words for the model; `@` names files of the workspace. */
export function MessageForm({
  store,
  workspace,
}: {
  readonly store: SessionStore;
  readonly workspace: string;
}) {
  const { me } = useServices();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const { files, marked, mark, dismiss } = useMentioned(text, workspace);

  const send = async () => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    const ack = await store.client.send({ type: 'prompt', parts: [{ text }], by: me.name });
    setSending(false);
    setProblem(ack.ok ? null : problemOf(ack.failure));
    // What was typed since is the beginning of the next one.
    if (ack.ok) setText((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
  };
  const take = (file: string) => {
    setText(text.replace(MENTION, (_, before: string) => `${before}@${file.replaceAll(' ', '\\ ')} `));
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const file = files[marked];
    const choosing: { readonly [key: string]: () => void } =
      file === undefined
        ? {}
        : {
            ArrowDown: () => mark((marked + 1) % files.length),
            ArrowUp: () => mark((marked + files.length - 1) % files.length),
            Tab: () => take(file),
            Enter: () => take(file),
            Escape: dismiss,
          };
    const act = choosing[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <form className="message-form" onSubmit={preventingDefault(() => void send())}>
      <label htmlFor={id} className="unseen">
        Message
      </label>
      {files.length > 0 && (
        <ul className="files" role="listbox" id={`${id}-files`} aria-label="Files">
          {files.map((file, index) => (
            <li
              key={file}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === marked}
              // Before the field would lose the focus.
              onPointerDown={preventingDefault(() => take(file))}
            >
              <OneLine text={file} />
            </li>
          ))}
        </ul>
      )}
      <textarea
        id={id}
        ref={field}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        value={text}
        placeholder="Message the agent. Type @ to mention a file."
        aria-autocomplete="list"
        aria-controls={files.length > 0 ? `${id}-files` : undefined}
        aria-activedescendant={files.length > 0 ? `${id}-${marked}` : undefined}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending || text.trim() === ''}>
          Send<kbd>Enter</kbd>
        </button>
        <span className="dim for-keys">Shift Enter for a new line</span>
      </div>
      {problem && <Problem problem={problem} />}
    </form>
  );
}
