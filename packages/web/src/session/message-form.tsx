import type { SessionStore } from '@countersign/react';
import { useEffect, useId, useRef, useState } from 'react';
import { useServices } from '../connection/services.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';

/** Who types a path is not finished with each letter. */
const TYPING_MS = 120;
const FILES_SHOWN = 8;

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
  const files = useMentioned(text, workspace);

  const send = async () => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    const ack = await store.client.send({ type: 'prompt', parts: [{ text }], by: me.name });
    setSending(false);
    setProblem(ack.ok ? null : problemOf(ack.failure));
    if (ack.ok) setText('');
  };
  const take = (file: string) => {
    setText(text.replace(MENTION, (_, before: string) => `${before}@${file.replaceAll(' ', '\\ ')} `));
    field.current?.focus();
  };
  return (
    <form
      className="message-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={id} className="unseen">
        Message
      </label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        value={text}
        placeholder="What is to be done? @ names a file."
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {files.length > 0 && (
        <div className="files" role="group" aria-label="Files">
          {files.map((file) => (
            <button key={file} type="button" className="quiet" onClick={() => take(file)}>
              {file}
            </button>
          ))}
        </div>
      )}
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending || text.trim() === ''}>
          Send<kbd>Enter</kbd>
        </button>
        <span className="dim">Shift Enter for a new line</span>
      </div>
      {problem && <Problem problem={problem} />}
    </form>
  );
}

const MENTION = /(^|\s)@([^\s@]*)$/;

/** Files that the path at the end of the text may mean. */
function useMentioned(text: string, workspace: string): readonly string[] {
  const { api } = useServices();
  const [files, setFiles] = useState<readonly string[]>([]);
  const query = MENTION.exec(text)?.[2];
  useEffect(() => {
    if (query === undefined) return setFiles([]);
    const stop = new AbortController();
    const look = async () => {
      const asked = { workspace, limit: FILES_SHOWN, ...(query !== '' && { query }) };
      const found = await api.listFiles(asked, { signal: stop.signal });
      if (found.ok && !stop.signal.aborted) setFiles(found.value.files);
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, query, workspace]);
  return files;
}
