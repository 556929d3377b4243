import { type RunContext, type Tool } from '@countersign/engine';
import { contentHash, isJsonObject, shownPath } from '@countersign/host';
import {
  type ApprovalMode,
  type Json,
  PLANS_DIRECTORY,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { assertUnchanged, findPlan, planText } from './plan-file.js';

export const exitPlanMode: Tool = defineTool({
  name: 'exit_plan_mode',
  displayName: 'Exit plan mode',
  description:
    'Show the finished plan to the user. If the user approves it, plan mode ends and the work can start; if not, the result is feedback from the user.',
  kind: 'plan',
  input: () =>
    z.strictObject({
      plan_filename: z.string().describe(`Name of the plan in ${PLANS_DIRECTORY}, e.g. "add-login.md".`),
    }),
  plan: async ({ plan_filename }, context) => {
    const file = await findPlan(plan_filename, context);
    const { path, shown } = file;
    const plan = planText(file);
    const hash = contentHash(file.bytes);
    const title = `Approve the plan ${shown}`;
    return {
      title,
      resources: [{ kind: 'fs.read', path, scope: 'file' }],
      repeat: 'safe',
      locations: [{ path }],
      basis: [{ path, before: hash, after: hash }],
      byDefault: 'ask_user',
      confirmation: { type: 'exit_plan_mode', title, planPath: path, plan },
    };
  },
  run: async (_, context) => {
    const [basis] = context.plan.basis;
    if (basis === undefined) throw new Error(`the plan "${context.plan.title}" has no basis`);
    const shown = shownPath(context.workspace, basis.path);
    const answer = readAnswer(context.answers);
    if (answer.type === 'refused') return refused(shown, answer.feedback);
    // Only a person ends plan mode: whatever else may let a call run has not seen the plan.
    if (context.permit.type !== 'person') throw failed('The user has not approved the plan.');
    await assertUnchanged(basis.path, basis.before, shown);
    return approved(shown, answer.mode, context);
  },
});

type PlanAnswer =
  | { readonly type: 'agreed'; readonly mode: ApprovalMode }
  | { readonly type: 'refused'; readonly feedback: string | null };

/** How to continue once the plan is agreed to. The second spellings are those of Gemini CLI. */
const MODES: { readonly [given: string]: ApprovalMode } = {
  manual: 'manual',
  default: 'manual',
  auto_edit: 'auto_edit',
  autoEdit: 'auto_edit',
};

/** `{approvalMode}` with an agreement; `{approved: false, feedback}` is still a refusal. */
function readAnswer(answers: Json): PlanAnswer {
  const { approved: agreed, feedback, approvalMode = 'manual' } = isJsonObject(answers) ? answers : {};
  if (agreed === false) return { type: 'refused', feedback: typeof feedback === 'string' ? feedback : null };
  const known = typeof approvalMode === 'string' && Object.hasOwn(MODES, approvalMode);
  const mode = known ? MODES[approvalMode] : undefined;
  if (mode === undefined)
    throw failed(
      `The plan was approved with approvalMode ${JSON.stringify(approvalMode)}, which does not exist.`,
    );
  return { type: 'agreed', mode };
}

function approved(shown: string, mode: ApprovalMode, { setMode }: RunContext): ToolResult {
  setMode(mode);
  const edits =
    mode === 'auto_edit' ? 'Edits inside the workspace are allowed without asking.' : 'Every change asks.';
  return {
    llmContent: `The user approved the plan ${shown}. Plan mode is off. ${edits} Carry out the plan as written.`,
    returnDisplay: `Plan approved: ${shown} (${mode})`,
  };
}

const refused = (shown: string, feedback: string | null): ToolResult => ({
  llmContent: `The user did not approve the plan ${shown}. Plan mode stays on. ${
    feedback === null ? 'Ask what should be changed.' : `Feedback: ${feedback}`
  }`,
  returnDisplay: `Plan not approved: ${shown}`,
});

const failed = (message: string): ToolFailure =>
  new ToolFailure({
    code: 'execution_failed',
    message: `${message} Plan mode stays on. Call exit_plan_mode again.`,
  });
