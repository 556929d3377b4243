import { type SessionStore, useToolScheduler } from '@countersign/react';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { preventingDefault } from '../parts/preventing-default.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';
import { useToolCall } from './use-tool-call.js';

/** A call by hand. Rules apply as for a call of the model. */
export function CallForm({ store }: { readonly store: SessionStore }) {
  const { announcer } = useServices();
  const { tool, args, fields } = useToolCall('list_directory', { dir_path: '.' });
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const [isSending, setSending] = useState(false);
  const [, schedule] = useToolScheduler(store);
  const call = async () => {
    if (!args || isSending) return;
    setSending(true);
    const ack = await schedule({ name: tool, args });
    setSending(false);
    setProblem(ack.ok ? null : problemOf(ack.failure));
    if (ack.ok) announcer.announce(`Requested ${tool}.`);
  };
  return (
    <form className="call-form" onSubmit={preventingDefault(() => void call())}>
      {fields}
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending || !args}>
          Call it
        </button>
        <span className="dim">Rules apply as for a call of the model.</span>
      </div>
      {problem && <Problem problem={problem} />}
    </form>
  );
}
