import type { ApprovalMode } from '@countersign/protocol';
import type { AnswerOf, Result } from '@countersign/server/client';
import { useState } from 'react';
import { Explanation } from '../approval/explanation.js';
import { useServices } from '../connection/services.js';
import { Heading } from '../parts/heading.js';
import { preventingDefault } from '../parts/preventing-default.js';
import { Problem } from '../parts/problem.js';
import { ModeOptions, modeOf } from '../session/mode-options.js';
import { useToolCall } from '../session/use-tool-call.js';

/** What the rules would make of a call, without making it. */
export function RulesView() {
  const { api } = useServices();
  const { tool, args, fields } = useToolCall('run_shell_command', { command: 'git push --force' });
  const [mode, setMode] = useState<ApprovalMode>('manual');
  const [explained, setExplained] = useState<Result<AnswerOf<'explainPolicy'>> | null>(null);
  const explain = () => {
    if (args) void api.explainPolicy({ body: { mode, call: { tool, args } } }).then(setExplained);
  };
  return (
    <>
      <Heading>Rules</Heading>
      <p className="lead">Check what the rules decide about a call. Nothing is run.</p>
      <form className="call-form" onSubmit={preventingDefault(explain)}>
        {fields}
        <label>
          Mode
          <select value={mode} onChange={({ target }) => setMode(modeOf(target.value) ?? mode)}>
            <ModeOptions />
          </select>
        </label>
        <button type="submit" className="yes" disabled={!args}>
          Explain
        </button>
      </form>
      <div aria-live="polite">
        {explained && !explained.ok && <Problem problem={explained.error} />}
        {explained?.ok && <Explanation explained={explained.value} />}
      </div>
    </>
  );
}
