import type { ApprovalMode } from '@countersign/protocol';
import type { AnswerOf, Result } from '@countersign/server/client';
import { useState } from 'react';
import { Explanation } from '../approval/explanation.js';
import { useServices } from '../connection/services.js';
import { Heading } from '../parts/heading.js';
import { isJsonObject, readJsonObject } from '../parts/json-object.js';
import { Problem } from '../parts/problem.js';
import { ModeOptions, modeOf } from '../session/mode-options.js';
import { ToolFields, useTools } from '../session/tool-fields.js';

/** What the rules would make of a call, without making it. */
export function RulesView() {
  const { api } = useServices();
  const tools = useTools();
  const [tool, setTool] = useState('run_shell_command');
  const [text, setText] = useState('{\n  "command": "git push --force"\n}');
  const [mode, setMode] = useState<ApprovalMode>('manual');
  const [explained, setExplained] = useState<Result<AnswerOf<'explainPolicy'>> | null>(null);
  const args = readJsonObject(text);
  return (
    <>
      <Heading>Rules</Heading>
      <p className="lead">Check what the rules decide about a call. Nothing is run.</p>
      <form
        className="call-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isJsonObject(args))
            void api.explainPolicy({ body: { mode, call: { tool, args } } }).then(setExplained);
        }}
      >
        <ToolFields
          tools={tools}
          tool={tool}
          text={text}
          problem={isJsonObject(args) ? null : args.problem}
          onTool={setTool}
          onText={setText}
        />
        <label>
          Mode
          <select value={mode} onChange={({ target }) => setMode(modeOf(target.value) ?? mode)}>
            <ModeOptions />
          </select>
        </label>
        <button type="submit" className="yes" disabled={!isJsonObject(args)}>
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
