import type { AfterReport } from '@countersign/engine';
import { explain, type ModelContent, type ToolOutcome } from '@countersign/protocol';
import type { ToolResponse } from './hook/events.js';
import { type HookReport, hookNames, isRefusal } from './run/combine.js';

/** The input of AfterTool hooks: the result of a tool. */
export function toolResponse(outcome: ToolOutcome): ToolResponse {
  if (outcome.ok) {
    const { llmContent, returnDisplay } = outcome.result;
    return { llmContent, returnDisplay };
  }
  const { message } = explain(outcome.failure);
  const text = outcome.partial?.output ? `${message}\n${outcome.partial.output}` : message;
  return { llmContent: text, returnDisplay: text, error: { type: outcome.failure.code, message } };
}

/** What happens to the result of a tool. */
export function afterReport(report: HookReport, outcome: ToolOutcome): Omit<AfterReport, 'notes'> {
  const { verdict, additionalContext, tailCall } = report;
  if (verdict.type === 'stop' || verdict.type === 'deny') {
    const instead = report.runs.some(isRefusal)
      ? withheld(hookNames(report), `${DID_RUN} ${verdict.reason}`)
      : replaced(hookNames(report), verdict.reason, outcome);
    return { outcome: instead, tailCall: null };
  }
  return {
    outcome: additionalContext === null ? null : withContext(outcome, additionalContext),
    tailCall,
  };
}

const DID_RUN = 'The tool ran and its effects remain; only its result is withheld.';

/** A hook that broke has not looked at the result, which may be just what it keeps back. */
const withheld = (hook: string, reason: string): ToolOutcome => ({
  ok: false,
  failure: { code: 'hook_denied', hook, reason },
  partial: { output: '', mayHaveHappened: true },
});

/** As in Gemini CLI, the reason takes the place of the result. Whether the tool itself did well stays true. */
function replaced(hook: string, reason: string, outcome: ToolOutcome): ToolOutcome {
  if (!outcome.ok) return withheld(hook, reason);
  const returnDisplay = `The result was replaced by a hook (${hook}): ${reason}`;
  return { ok: true, result: { ...outcome.result, llmContent: reason, returnDisplay } };
}

function withContext(outcome: ToolOutcome, context: string): ToolOutcome {
  const text = `<hook_context>${escaped(context)}</hook_context>`;
  if (outcome.ok) {
    return { ok: true, result: { ...outcome.result, llmContent: joined(outcome.result.llmContent, text) } };
  }
  const { output, mayHaveHappened } = outcome.partial ?? { output: '', mayHaveHappened: true };
  return { ...outcome, partial: { output: output === '' ? text : `${output}\n\n${text}`, mayHaveHappened } };
}

function joined(content: ModelContent, text: string): ModelContent {
  if (typeof content === 'string') return `${content}\n\n${text}`;
  return [...(isList(content) ? content : [content]), { text }];
}

const isList = (content: ModelContent): content is Extract<ModelContent, readonly unknown[]> =>
  Array.isArray(content);

/** So that no context ends the wrapper early, or opens one that looks like another hook's. */
const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
