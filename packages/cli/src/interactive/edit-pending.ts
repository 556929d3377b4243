import type { SessionStore } from '@countersign/react';
import { editCall, editorCommand } from '@countersign/tools';
import type { Edited, OnTerminal, Pending } from '@countersign/tui';
import type { SessionAtWork } from '../compose/compose-agent.js';
import type { Io } from '../io/io.js';

/** Opens a pending call in the user's editor, which may need the terminal. */
export async function editPending(
  { request, question }: Pending,
  { tools, settings }: SessionAtWork,
  store: SessionStore,
  io: Io,
  onTerminal: OnTerminal,
): Promise<Edited> {
  const editor = settings.get('editor').value ?? undefined;
  const answered = new AbortController();
  const isWaiting = () =>
    store
      .view()
      .waiting.some(
        (call) => call.request.callId === request.callId && call.question.digest === question.digest,
      );
  // Another client may answer it meanwhile; then the editor is closed.
  const stopLooking = store.subscribe(() => {
    if (!isWaiting()) answered.abort();
  });
  const where = editorCommand(editor, { current: '', proposed: '' }, io.env)?.where;
  const restoreInterrupts = where === 'terminal' ? io.ignoreInterrupts() : () => {};
  const back = where === 'terminal' ? await onTerminal() : () => {};
  try {
    const edited = await editCall({ request, question }, tools.get(request.name), {
      editor,
      signal: answered.signal,
      env: io.env,
    });
    return answered.signal.aborted
      ? { ok: false, problem: 'it was answered elsewhere in the meantime' }
      : edited;
  } finally {
    back();
    restoreInterrupts();
    stopLooking();
  }
}
