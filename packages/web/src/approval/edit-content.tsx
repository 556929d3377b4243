import type { Confirmation } from '@countersign/protocol';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../parts/problem.js';

/** The proposed content, to be changed before it is written. The editor is fetched when it is first needed. */
export function EditContent({
  confirmation: { originalContent, newContent, fileName },
  isSending,
  onApprove,
  onLeave,
}: {
  readonly confirmation: Extract<Confirmation, { type: 'edit' }>;
  readonly isSending: boolean;
  readonly onApprove: (newContent: string) => void;
  readonly onLeave: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [content, setContent] = useState(newContent);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const approve = useRef(() => {});
  approve.current = () => onApprove(content);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isGone = false;
    let close = () => {};
    import('./merge-editor.js').then(
      ({ openMergeEditor }) => {
        if (isGone) return;
        const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
        const editor = openMergeEditor({
          root,
          original: originalContent ?? '',
          proposed: newContent,
          label: `New content of ${fileName}`,
          onChange: setContent,
          onDone: () => approve.current(),
        });
        close = () => {
          editor.destroy();
          root.replaceChildren();
        };
        editor.focus();
        setState('ready');
      },
      () => setState('failed'),
    );
    return () => {
      isGone = true;
      close();
    };
  }, [originalContent, newContent, fileName]);

  const isChanged = content !== newContent;
  return (
    <div className="editing">
      <p className="note">
        {originalContent === null ? 'The file is new. ' : 'On the left is the file as it is. '}
        The text on the right will be written; you can edit it.
      </p>
      {state === 'loading' && <p role="status">Loading the editor…</p>}
      {state === 'failed' && (
        <Problem problem={{ message: 'The editor could not be loaded.', hint: 'Go back, and try again.' }} />
      )}
      <div ref={host} className="merge-host" />
      <div className="choice-row">
        <button
          type="button"
          className="yes"
          disabled={isSending || state !== 'ready'}
          onClick={() => approve.current()}
        >
          {isChanged ? 'Allow as edited' : 'Allow unchanged'}
          <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={onLeave}>
          Back without changes
        </button>
      </div>
    </div>
  );
}
