import { type SessionStore, useToolScheduler } from '@countersign/react';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { isJsonObject, readJsonObject } from '../parts/json-object.js';
import { Problem, type ProblemText, problemOf } from '../parts/problem.js';
import { ToolFields, useTools } from './tool-fields.js';

/** A call by hand. Rules apply as for a call of the model. */
export function CallForm({ store }: { readonly store: SessionStore }) {
  const { announcer } = useServices();
  const tools = useTools();
  const [tool, setTool] = useState('list_directory');
  const [text, setText] = useState('{\n  "dir_path": "."\n}');
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const [isSending, setSending] = useState(false);
  const [, schedule] = useToolScheduler(store);
  const args = readJsonObject(text);
  const call = async () => {
    if (!isJsonObject(args) || isSending) return;
    setSending(true);
    const ack = await schedule({ name: tool, args });
    setSending(false);
    setProblem(ack.ok ? null : problemOf(ack.failure));
    if (ack.ok) announcer.say(`Requested ${tool}.`);
  };
  return (
    <form
      className="call-form"
      onSubmit={(event) => {
        event.preventDefault();
        void call();
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
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending || !isJsonObject(args)}>
          Call it
        </button>
        <span className="dim">Rules apply as for a call of the model.</span>
      </div>
      {problem && <Problem problem={problem} />}
    </form>
  );
}
