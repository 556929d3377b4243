// One tool said in three ways. All three are validated, judged, asked about, run and journaled alike.
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Config,
  defineTool,
  type ExecuteOptions,
  Kind,
  Scheduler,
  type Tool,
  ToolConfirmationOutcome,
  type ToolOwnConfirmation,
  ToolRegistry,
  type ToolResult,
  write,
} from 'countersign';
import * as z from 'zod';

/** What all of them do: a line in a log says what was deployed where. */
async function deploy(log: string, target: string): Promise<ToolResult> {
  await appendFile(log, `${target}\n`);
  return { llmContent: `Deployed to ${target}.`, returnDisplay: `Deployed to **${target}**` };
}

const SCHEMA = { type: 'object', properties: { target: { type: 'string' } }, required: ['target'] };

// #region class-style
class Deploy extends BaseDeclarativeTool<{ target: string }, ToolResult> {
  readonly #log: string;

  constructor(log: string) {
    super('deploy_class', 'Deploy', 'Deploy to a target.', Kind.Execute, SCHEMA, true, true);
    this.#log = log;
  }

  protected override validateToolParamValues({ target }: { target: string }) {
    return target === '' ? 'A target needs a name.' : null;
  }

  protected createInvocation(params: { target: string }) {
    return new DeployInvocation(params, this.#log);
  }
}

class DeployInvocation extends BaseToolInvocation<{ target: string }, ToolResult> {
  readonly #log: string;

  constructor(params: { target: string }, log: string) {
    super(params);
    this.#log = log;
  }

  getDescription() {
    return `Deploy to ${this.params.target}`;
  }

  override toolLocations() {
    return [{ path: this.#log }];
  }

  override async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolOwnConfirmation | false> {
    if (this.params.target === 'staging') return false; // counts where no rule names the tool
    return { type: 'info', title: `Deploy to ${this.params.target}?`, prompt: 'It will be live at once.' };
  }

  async execute(_signal: AbortSignal, updateOutput?: (text: string) => void, options?: ExecuteOptions) {
    updateOutput?.(`Deploying, attempt ${options?.attempt}`);
    return deploy(this.#log, this.params.target);
  }
}
// #endregion

// #region plain-style
const plainDeploy = (log: string): Tool<{ target: string }> => ({
  name: 'deploy_plain',
  displayName: 'Deploy',
  description: 'Deploy to a target.',
  kind: Kind.Execute,
  schema: SCHEMA,
  validateToolParams: ({ target }) => (target === '' ? 'A target needs a name.' : null),
  getDescription: ({ target }) => `Deploy to ${target}`,
  toolLocations: () => [{ path: log }],
  shouldConfirmExecute: async ({ target }) =>
    target === 'staging'
      ? false
      : { type: 'info', title: `Deploy to ${target}?`, prompt: 'It will be live at once.' },
  execute: ({ target }) => deploy(log, target),
});
// #endregion

// #region defined
const definedDeploy = (log: string) =>
  defineTool({
    name: 'deploy_defined',
    displayName: 'Deploy',
    description: 'Deploy to a target.',
    kind: Kind.Execute,
    input: z.object({ target: z.string().min(1) }), // types, check and the model's schema in one
    // Only looks: says what would be touched, and whether doing it twice would do harm.
    plan: ({ target }, { resolve }) => ({
      title: `Deploy to ${target}`,
      resources: [write(resolve(log))],
      repeat: 'unsafe',
      byDefault: target === 'staging' ? 'allow' : 'ask_user',
      confirmation: {
        type: 'info',
        title: `Deploy to ${target}?`,
        prompt: 'It will be live at once.',
        urls: [],
      },
    }),
    run: ({ target }) => deploy(log, target),
  });
// #endregion

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const log = join(workspace, 'deployed.log');
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registry.registerTool(new Deploy(log));
  registry.registerTool(plainDeploy(log));
  registry.registerTool(definedDeploy(log));

  const asked: string[] = [];
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    confirmHandler: async ({ request, confirmationDetails }) => {
      asked.push(`${request.name}: ${confirmationDetails.title}`);
      return ToolConfirmationOutcome.ProceedOnce;
    },
  });
  const completed = [];
  for (const target of ['staging', 'production', '']) {
    completed.push(
      ...(await scheduler.schedule(
        registry.getAllToolNames().map((name) => ({ callId: `${name} ${target}`, name, args: { target } })),
      )),
    );
  }
  const deployed = await readFile(log, 'utf8');
  await scheduler.dispose();
  await rm(workspace, { recursive: true, force: true });
  return { asked, completed, deployed, declarations: registry.getFunctionDeclarations() };
}
