import type { ApprovalMode } from '@countersign/protocol';
import type { SessionStore } from '@countersign/react';
import { useId, useState } from 'react';
import { useServices } from '../connection/services.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';
import { ModeOptions, modeOf } from './mode-options.js';

/** How much is asked about, from now on. */
export function ModeSwitch({ store, mode }: { readonly store: SessionStore; readonly mode: ApprovalMode }) {
  const { me } = useServices();
  const id = useId();
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const switchTo = async (to: ApprovalMode) => {
    const ack = await store.client.send({ type: 'set-mode', mode: to, by: me.name });
    setProblem(ack.ok ? null : problemOf(ack.failure));
  };
  return (
    <>
      <label htmlFor={id} className="unseen">
        Approval mode
      </label>
      <select
        id={id}
        value={mode}
        onChange={({ target }) => {
          const to = modeOf(target.value);
          if (to) void switchTo(to);
        }}
      >
        <ModeOptions />
      </select>
      {problem && <Problem problem={problem} />}
    </>
  );
}
