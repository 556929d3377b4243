// Every name that the library exports, used as it is meant, without a cast. What changes here changes for every program.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as countersign from 'countersign';
import {
  type AllToolCallsCompleteHandler,
  type AnswerResult,
  type AnthropicToolResult,
  type AnyTool,
  ApprovalMode,
  type ApprovalModeSpelling,
  BaseDeclarativeTool,
  BaseToolInvocation,
  type BuiltInTool,
  type BuiltInToolName,
  type BusMessage,
  type BusMessageType,
  type CallHooks,
  type CallToJudge,
  type CancelledToolCall,
  type CheckResult,
  type CompletedToolCall,
  Config,
  type ConfigParameters,
  type Confirmation,
  type ConfirmHandler,
  CoreToolScheduler,
  type CoreToolSchedulerOptions,
  convertToFunctionResponse,
  type DeclarativeTool,
  type DeclaredResource,
  DiscoveredMCPTool,
  defineTool,
  EditorType,
  type ErroredToolCall,
  type ExecuteOptions,
  type ExecutingToolCall,
  executeToolCall,
  type Failure,
  type FailureCode,
  type ForcedDecision,
  type FunctionResponsePart,
  GeminiEventType,
  getToolFamily,
  getToolSet,
  isModifiableTool,
  isRetryableError,
  type Journal,
  type Json,
  type JsonObject,
  Kind,
  logToolCall,
  ManagedToolScheduler,
  MCPDiscoveryState,
  type MCPServerConfig,
  MCPServerStatus,
  type McpClient,
  McpClientManager,
  type McpClientManagerOptions,
  MessageBus,
  type ModelContent,
  type ModifiableTool,
  type ModifyContext,
  type ModifyResult,
  memory,
  modelFor,
  modifyWithEditor,
  type Offer,
  type OnConfirm,
  type OpenAiImageMessage,
  type OpenAiToolMessage,
  type OutputUpdateHandler,
  type Part,
  type PartListUnion,
  PerformanceTracker,
  PersistentToolScheduler,
  type PlainTool,
  type PlanDraft,
  type PlanningContext,
  PolicyDecision,
  PolicyEngine,
  type PolicyEngineOptions,
  type PolicyRule,
  type PolicyUpdateOptions,
  type RecordOptions,
  type RecordSink,
  type RunningContext,
  read,
  registerBuiltInTools,
  type ScheduledToolCall,
  Scheduler,
  SchemaValidator,
  type ServerGeminiStreamEvent,
  type Status,
  type StoredToolCall,
  type SuccessfulToolCall,
  sqlite,
  type Tool,
  type ToolCall,
  type ToolCallConfirmationDetails,
  ToolCallEvent,
  type ToolCallRequestInfo,
  type ToolCallResponseInfo,
  type ToolCallSnapshot,
  type ToolCallsUpdateHandler,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
  type ToolDefinition,
  ToolFailure,
  type ToolInvocation,
  type ToolLocation,
  type ToolOwnConfirmation,
  ToolRegistry,
  type ToolResult,
  Turn,
  type TurnOptions,
  toAnthropicToolResult,
  toOpenAiImageMessage,
  toOpenAiToolMessage,
  type ValidatingToolCall,
  type WaitingToolCall,
  write,
} from 'countersign';
import * as compat from 'countersign/compat';
import * as hooks from 'countersign/react';
import {
  type Agenda,
  type AgentPort,
  AgentStream,
  type Aside,
  type PromptWords,
  SessionStore,
  type SessionStoreOptions,
  type SessionView,
  type StreamEvent,
  type StreamingState,
  type StreamView,
  type Todo,
  type ToolScheduler,
  type ToolSchedulerOptions,
  type TrackedToolCall,
  type UsedStream,
  useAgentStream,
  useGeminiStream,
  useReactToolScheduler,
  useSession,
  useToolScheduler,
} from 'countersign/react';
import * as testing from 'countersign/testing';
import {
  answerAll,
  type Heard,
  type RecordingHandlers,
  recordingHandlers,
  runScript,
  type SchedulesToCompletion,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedTurn,
  type ScriptOutcome,
  type ScriptStep,
  scriptedModel,
  statusHistory,
} from 'countersign/testing';
import { renderToString, Text } from 'ink';
import { createElement, type ReactNode } from 'react';
import * as z from 'zod';

// ---- Tools, in the three styles

const COUNT_INPUT = z.object({ file_path: z.string() });

const countDefinition: ToolDefinition<typeof COUNT_INPUT> = {
  name: 'word_count',
  displayName: 'Word count',
  description: 'Count words in a file.',
  kind: Kind.ReadOnly,
  input: COUNT_INPUT,
  canUpdateOutput: true,
  plan: ({ file_path }, { resolve, workspace, signal, callId }: PlanningContext): PlanDraft => {
    if (signal.aborted) throw new Error(`${callId} is not wanted any more in ${workspace}`);
    const resources: DeclaredResource[] = [read(resolve(file_path))];
    return {
      title: `Count ${file_path}`,
      resources,
      repeat: 'safe',
      locations: [{ path: resolve(file_path) }],
    };
  },
  run: async ({ file_path }, context: RunningContext): Promise<ToolResult> => {
    const { readText, updateOutput, progress, attempt, plan } = context;
    progress(0, 1, `${plan.title}, attempt ${attempt}`);
    const words = (await readText(file_path)).split(/\s+/).filter(Boolean);
    updateOutput(words.join(' '));
    const failure: Failure = { code: 'execution_failed', message: 'There are no words.' };
    if (words.length === 0) throw new ToolFailure(failure, 'nothing');
    const llmContent: ModelContent = [`${words.length}`, { text: 'words' }];
    const returnDisplay: Json = words.length;
    return { llmContent, returnDisplay };
  },
};

type SaveParams = { file_path: string; content: string };

const SAVE_SCHEMA: JsonObject = {
  type: 'object',
  properties: { file_path: { type: 'string' }, content: { type: 'string' } },
  required: ['file_path', 'content'],
};

class Save extends BaseDeclarativeTool<SaveParams, ToolResult> implements ModifiableTool<SaveParams> {
  readonly #directory: string;

  constructor(directory: string, messageBus: MessageBus) {
    super('save', 'Save', 'Saves a file.', Kind.Write, SAVE_SCHEMA, false, true, messageBus);
    this.#directory = directory;
  }

  protected override validateToolParamValues({ file_path }: SaveParams): string | null {
    return file_path === '' ? 'A file needs a name' : null;
  }

  protected createInvocation(
    params: SaveParams,
    messageBus?: MessageBus,
  ): ToolInvocation<SaveParams, ToolResult> {
    return new SaveInvocation(params, join(this.#directory, params.file_path), messageBus);
  }

  getModifyContext(_signal: AbortSignal): ModifyContext<SaveParams> {
    return {
      getFilePath: ({ file_path }) => join(this.#directory, file_path),
      getCurrentContent: async ({ file_path }) =>
        readFile(join(this.#directory, file_path), 'utf8').catch(() => ''),
      getProposedContent: async ({ content }) => content,
      createUpdatedParams: (_old, content, params) => ({ ...params, content }),
    };
  }
}

class SaveInvocation extends BaseToolInvocation<SaveParams, ToolResult> {
  readonly #path: string;

  constructor(params: SaveParams, path: string, messageBus?: MessageBus) {
    super(params, messageBus, 'save', 'Save');
    this.#path = path;
  }

  override readonly respectsAutoEdit = true;

  getDescription() {
    return `Save ${this.params.file_path} in ${this.getApprovalMode()} mode${this.messageBus ? '' : ' alone'}`;
  }

  override toolLocations(): readonly ToolLocation[] {
    return [{ path: this.#path, line: 1 }];
  }

  override async shouldConfirmExecute(signal: AbortSignal, forcedDecision?: ForcedDecision) {
    const decision = forcedDecision ?? (await this.getMessageBusDecision(signal));
    return decision === 'allow' ? false : this.getConfirmationDetails(signal);
  }

  protected override async getConfirmationDetails(_signal: AbortSignal): Promise<ToolOwnConfirmation> {
    const originalContent = await readFile(this.#path, 'utf8').catch(() => null);
    return {
      type: 'edit',
      title: `Save ${this.params.file_path}`,
      filePath: this.#path,
      originalContent,
      newContent: this.params.content,
      onConfirm: async (_outcome, _payload) => {},
    };
  }

  async execute(_signal: AbortSignal, updateOutput?: (text: string) => void, options?: ExecuteOptions) {
    updateOutput?.(`Saving, attempt ${options?.attempt ?? 1}`);
    await writeFile(this.#path, this.params.content);
    return { llmContent: 'Saved.', returnDisplay: 'Saved.' };
  }

  override getPolicyUpdateOptions(outcome: ToolConfirmationOutcome): PolicyUpdateOptions | undefined {
    return outcome === ToolConfirmationOutcome.ProceedAlways ? { toolName: 'save' } : undefined;
  }
}

const shout: PlainTool<{ text: string }> & Tool<{ text: string }> = {
  name: 'shout',
  displayName: 'Shout',
  description: 'Says it loudly.',
  kind: Kind.Communicate,
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  canUpdateOutput: false,
  isOutputMarkdown: false,
  validateToolParams: ({ text }) => (text === '' ? 'There is nothing to shout' : null),
  getDescription: ({ text }) => `Shout ${text}`,
  toolLocations: () => [],
  resources: () => [write(tmpdir(), 'tree')],
  shouldConfirmExecute: async () => ({
    type: 'ask_user',
    title: 'How loud?',
    questions: [{ question: 'How loud?', header: 'Volume', type: 'text' }],
  }),
  execute: async ({ text }) => ({ llmContent: text.toUpperCase(), returnDisplay: text.toUpperCase() }),
};

// ---- Questions and answers

function answer(call: WaitingToolCall): Promise<AnswerResult> {
  const details: ToolCallConfirmationDetails = call.confirmationDetails;
  const {
    onConfirm,
    outcomes,
    digest,
  }: { onConfirm: OnConfirm; outcomes: readonly Offer[]; digest: string } = details;
  const payload: ToolConfirmationPayload = details.type === 'ask_user' ? { answers: ['very'] } : {};
  const offered = outcomes.some(({ outcome }) => outcome === ToolConfirmationOutcome.ProceedOnce);
  return offered && digest !== ''
    ? onConfirm(ToolConfirmationOutcome.ProceedOnce, payload)
    : onConfirm(ToolConfirmationOutcome.Cancel, { feedback: 'It was not on offer.' });
}

/** What each kind of question shows. */
function shown(details: Confirmation): string {
  switch (details.type) {
    case 'edit':
      return `${details.fileName} ${details.filePath} +${details.diffStat.added}\n${details.fileDiff}`;
    case 'exec':
      return `${details.command} (${details.rootCommands.join(', ')}) in ${details.directory}: ${details.riskLevel}`;
    case 'mcp':
      return `${details.serverName} ${details.toolName} ${details.toolDisplayName} ${details.toolDescription}`;
    case 'info':
      return `${details.prompt} ${details.urls.join(' ')}`;
    case 'ask_user':
      return details.questions.map(({ question }) => question).join(' ');
    case 'exit_plan_mode':
      return `${details.planPath}: ${details.plan}`;
  }
}

/** What is true of a call in each of its statuses. */
const DRAWN: { readonly [S in Status]: (call: Extract<ToolCall, { status: S }>) => string } = {
  validating: ({ tool }: ValidatingToolCall) => tool.name,
  awaiting_approval: ({ confirmationDetails }: WaitingToolCall) => shown(confirmationDetails),
  scheduled: ({ outcome }: ScheduledToolCall) => outcome ?? 'allowed by policy',
  executing: ({ liveOutput, progress, progressTotal, progressMessage, pid }: ExecutingToolCall) =>
    `${progress ?? 0}/${progressTotal ?? 0} ${progressMessage ?? ''} ${liveOutput ?? ''} ${pid ?? ''}`,
  success: ({ response, durationMs }: SuccessfulToolCall) => `${response.callId} took ${durationMs} ms`,
  error: ({ response, tool }: ErroredToolCall) => `${tool?.name}: ${response.error?.message}`,
  cancelled: ({ response }: CancelledToolCall) => `${response.errorType}`,
};

function draw(call: ToolCall): string {
  switch (call.status) {
    case 'validating':
      return DRAWN.validating(call);
    case 'awaiting_approval':
      return DRAWN.awaiting_approval(call);
    case 'scheduled':
      return DRAWN.scheduled(call);
    case 'executing':
      return DRAWN.executing(call);
    case 'success':
      return DRAWN.success(call);
    case 'error':
      return DRAWN.error(call);
    case 'cancelled':
      return DRAWN.cancelled(call);
  }
}

// ---- The program

export async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const workspace = join(directory, 'workspace');
  try {
    await mkdir(workspace);
    await writeFile(join(workspace, 'a.txt'), 'one two three\n');
    return {
      exported: {
        countersign: Object.keys(countersign),
        'countersign/compat': Object.keys(compat),
        'countersign/testing': Object.keys(testing),
        'countersign/react': Object.keys(hooks),
      },
      scheduled: await schedule(workspace, join(directory, 'journal.db')),
      scripted: await runAScript(workspace),
      wrapped: await wrap(workspace, join(directory, 'calls.json')),
      judged: await judge(workspace),
      byHand: await byHand(workspace),
      turned: await talk(workspace),
      drawn: await drawn(workspace),
      servers: await servers(workspace),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// ---- One exchange with a model

/** A provider of one's own: it says a word and asks for a call. */
const echo: TurnOptions['provider'] = {
  name: 'echo',
  async *stream({ model, contents }) {
    yield { type: 'text', text: `You said ${contents.length} thing.` };
    yield { type: 'call', id: 'c1', name: 'word_count', args: { file_path: 'a.txt' } };
    yield {
      type: 'finished',
      reason: 'calls',
      said: 'STOP',
      message: null,
      content: { role: 'model', parts: [{ text: '…' }] },
      usage: null,
      model,
    };
  },
};

async function talk(workspace: string) {
  const { registry } = configure(workspace);
  const turn = new Turn({ provider: echo, model: 'echo', toolRegistry: registry });
  const heard: ServerGeminiStreamEvent['type'][] = [];
  for await (const event of turn.run('Count the words of a.txt.')) heard.push(event.type);
  const noModel = await modelFor('gemini:none', {}).catch((error: unknown) => String(error));
  return {
    heard,
    asked: turn.pendingToolCalls.map(({ name }) => name),
    finished: heard.includes(GeminiEventType.Finished),
    family: getToolFamily('claude-sonnet-5'),
    tools: getToolSet('gemini-3-pro').length > 0,
    noModel,
  };
}

/** Programs of one's own that look at calls; these have nothing to say. */
const noHooks: CallHooks = {
  before: () => null,
  listensAfter: () => false,
  after: () => Promise.resolve({ outcome: null, tailCall: null, notes: [] }),
  leave: () => Promise.resolve(),
};

function configure(workspace: string, more: ConfigParameters = {}) {
  const approvalMode: ApprovalModeSpelling = 'default';
  const config = new Config({ approvalMode, targetDir: workspace, hooks: noHooks, ...more });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  const reading: BuiltInToolName = 'read_file';
  const builtIn: BuiltInTool | undefined = registry.getTool(reading);
  builtIn?.build({ file_path: 'a.txt' });
  const tools: AnyTool[] = [defineTool(countDefinition), new Save(workspace, config.getMessageBus())];
  for (const tool of tools) registry.registerTool(tool);
  registry.registerTool(shout);
  return { config, registry };
}

/** MCP servers: here one that the configuration blocks, so that nothing is started. */
async function servers(workspace: string) {
  const settings: MCPServerConfig = { command: 'my-server' };
  const { config, registry } = configure(workspace, {
    mcpServers: { mine: settings },
    blockedMcpServers: ['mine'],
  });
  const options: McpClientManagerOptions = { clientVersion: '1.0.0' };
  const manager = new McpClientManager(registry, config, undefined, options);
  await manager.startConfiguredMcpServers();
  const client: McpClient | undefined = manager.getClient('mine');
  const isUsable = client?.getStatus() === MCPServerStatus.CONNECTED;
  const isStarted = manager.getDiscoveryState() !== MCPDiscoveryState.NOT_STARTED;
  const ofServers = registry.getAllTools().filter((tool) => tool instanceof DiscoveredMCPTool);
  await manager.stop();
  return { blocked: manager.getBlockedMcpServers(), isUsable, isStarted, tools: ofServers.length };
}

/** One scheduler with every option and every method. */
async function schedule(workspace: string, store: string) {
  const drawn: string[] = [];
  const ended: Status[] = [];
  const onToolCallsUpdate: ToolCallsUpdateHandler = (calls) => {
    drawn.push(...calls.map(draw));
    for (const call of calls) {
      if (call.status === 'awaiting_approval' && !call.confirmationDetails.isModifying) void answer(call);
    }
  };
  const onAllToolCallsComplete: AllToolCallsCompleteHandler = (completed) => {
    ended.push(...completed.map(({ status }) => status));
  };
  const outputUpdateHandler: OutputUpdateHandler = (callId, text) => drawn.push(`${callId}: ${text}`);
  const { config, registry } = configure(workspace);
  const journal: Promise<Journal> = sqlite(store);
  const options: CoreToolSchedulerOptions = {
    toolRegistry: Promise.resolve(registry),
    config,
    journal,
    sessionId: config.getSessionId(),
    getPreferredEditor: () => EditorType.Helix,
    onToolCallsUpdate,
    onAllToolCallsComplete,
    outputUpdateHandler,
    whenBusy: 'reject',
    start: 'together',
    resolveWhen: 'completed',
    onTrouble: (trouble) => drawn.push(trouble.message),
  };
  const scheduler = new CoreToolScheduler(options);
  const requests: ToolCallRequestInfo[] = [
    {
      callId: 'count',
      name: 'word_count',
      args: { file_path: 'a.txt' },
      prompt_id: 'p',
      isClientInitiated: false,
    },
    { callId: 'save', name: 'save', args: { file_path: 'b.txt', content: 'saved\n' } },
    { callId: 'shout', name: 'shout', args: { text: 'hello' } },
  ];
  const completed: CompletedToolCall[] = await scheduler.schedule(requests, new AbortController().signal);
  const late: AnswerResult = await scheduler.handleConfirmationResponse(
    'save',
    ToolConfirmationOutcome.Cancel,
  );
  await scheduler.cancel('save');
  await scheduler.cancelAll();
  const waiting: readonly WaitingToolCall[] = await scheduler.pending();
  const resumed: CompletedToolCall[] = await scheduler.resume();
  await scheduler.dispose();
  return { ended, drawn, completed, late, left: waiting.length + resumed.length };
}

/** A model that does what its script says, for tests of your own program. */
async function runAScript(workspace: string) {
  const { config, registry } = configure(workspace);
  const recording: RecordingHandlers = recordingHandlers();
  const confirmHandler: ConfirmHandler = answerAll(ToolConfirmationOutcome.ProceedOnce);
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    journal: memory(),
    confirmHandler,
    ...recording.handlers,
  });
  const wanted: ScriptedCall = { name: 'word_count', args: { file_path: 'a.txt' } };
  const steps: ScriptStep[] = [{ calls: [wanted] }, { text: 'That is all.' }];
  const model: ScriptedModel = scriptedModel(steps);
  const driven: SchedulesToCompletion = scheduler;
  const outcome: ScriptOutcome = await runScript(driven, model);
  const over: ScriptedTurn | undefined = model.next();
  await scheduler.dispose();
  const heard: Heard | undefined = recording.heard.at(-1);
  return { outcome, over, lastHeard: heard?.type, statuses: statusHistory(recording.updates) };
}

/** Ready-made wrappers, figures and records. */
async function wrap(workspace: string, snapshotPath: string) {
  const records: ToolCallEvent[] = [];
  const { config, registry } = configure(workspace, {
    interactive: true,
    sessionId: 'wrapped',
    onToolCallRecord: (event) => void records.push(event),
  });
  const request: ToolCallRequestInfo = { callId: 'r', name: 'read_file', args: { file_path: 'a.txt' } };

  const managed = new ManagedToolScheduler({ toolRegistry: registry, config });
  const [timed] = await managed.scheduleWithTimeout(request, 30_000);
  await managed.dispose();

  const tracker = new PerformanceTracker();
  const persistent = new PersistentToolScheduler(
    { toolRegistry: registry, config, onAllToolCallsComplete: tracker.handler, resolveWhen: 'completed' },
    snapshotPath,
  );
  await persistent.schedule(request);
  const snapshot: ToolCallSnapshot | null = persistent.loadSnapshot();
  const stored: readonly StoredToolCall[] = snapshot?.toolCalls ?? [];
  await persistent.dispose();

  const sink: RecordSink = config;
  const options: RecordOptions = { redact: (key) => key === 'file_path', now: () => 0 };
  if (timed) logToolCall(sink, ToolCallEvent(timed, options));

  const { totalCalls, averageDuration, successRate } = tracker;
  return { stored: stored.length, records, totalCalls, averageDuration, successRate };
}

/** Policy and messages. */
async function judge(workspace: string) {
  const rule: PolicyRule = {
    toolName: 'save',
    decision: PolicyDecision.DENY,
    priority: 7,
    denyMessage: 'Full.',
  };
  const options: PolicyEngineOptions = { rules: [rule], workspace, approvalMode: ApprovalMode.MANUAL };
  const policyEngine = new PolicyEngine(options);
  const call: CallToJudge = { name: 'save', args: { file_path: 'c.txt', content: '' } };
  const checked: CheckResult = await policyEngine.check(call);
  const { trace } = await policyEngine.explain(call);

  const messageBus = new MessageBus();
  const heard: BusMessageType[] = [];
  const stop = messageBus.subscribe('tool-calls-update', ({ type }) => heard.push(type));
  const { config, registry } = configure(workspace, { policyEngine, messageBus });
  const response: ToolCallResponseInfo = await executeToolCall(
    config,
    { callId: 'x', name: 'save', args: { file_path: 'c.txt', content: '' } },
    registry,
  );
  stop();
  const message: BusMessage = { type: 'update-policy', change: 'grant.added', grantId: 'none' };
  let refusal = '';
  try {
    messageBus.publish(message);
  } catch (error) {
    refusal = error instanceof Error ? error.message : '';
  }
  config.setApprovalMode(ApprovalMode.YOLO);
  return { checked, trace, heard, response, refusal, mode: config.getApprovalMode() };
}

/** What can be used without a scheduler. */
async function byHand(workspace: string) {
  const save = new Save(workspace, new MessageBus());
  const tool: DeclarativeTool<SaveParams, ToolResult> = save;
  const problem = SchemaValidator.validate(SAVE_SCHEMA, { file_path: 1 }, 'save');
  const described = tool.build({ file_path: 'd.txt', content: 'd\n' }).getDescription();
  const params: SaveParams = { file_path: 'd.txt', content: 'as proposed\n' };
  const signal = new AbortController().signal;
  const modified: ModifyResult<SaveParams> = await modifyWithEditor(
    params,
    save.getModifyContext(signal),
    undefined, // what VISUAL says
    signal,
    { ...process.env, VISUAL: 'printf "as edited\\n" >' },
  );

  const content: PartListUnion = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
  const converted: FunctionResponsePart | FunctionResponsePart[] = convertToFunctionResponse(
    'draw',
    'i',
    content,
  );
  const responseParts: Part[] = Array.isArray(converted) ? converted : [converted];
  const openAi: OpenAiToolMessage = toOpenAiToolMessage({ callId: 'i', responseParts });
  const images: OpenAiImageMessage | null = toOpenAiImageMessage({ callId: 'i', responseParts });
  const anthropic: AnthropicToolResult = toAnthropicToolResult({ callId: 'i', responseParts });
  const code: FailureCode = 'temporary';
  return {
    problem,
    described,
    modified,
    isModifiable: isModifiableTool(save),
    responseParts,
    openAi,
    images: images?.content.length,
    anthropic,
    retryable: isRetryableError({ code }),
  };
}

// ---- A front end

/** Who says every prompt again. */
const parrot: AgentPort = {
  async *prompt(words: PromptWords): AsyncGenerator<StreamEvent> {
    yield { type: 'content', value: typeof words === 'string' ? words : JSON.stringify(words) };
    yield { type: 'finished' };
  },
  async *goOn() {},
};

function Screen({ store, stream }: { store: SessionStore; stream: AgentStream }): ReactNode {
  const { mode, agenda }: SessionView = useSession(store);
  const used: UsedStream = useAgentStream(stream);
  const options: ToolSchedulerOptions = { by: 'me' };
  const [calls]: ToolScheduler = useToolScheduler(store, options);
  const words = [mode, agendaText(agenda), streamText(used), ...calls.map(callText)];
  return createElement(Text, null, words.join(' | '));
}

const streamText = ({ state, asides }: StreamView): string =>
  [stateText(state), ...asides.map(asideText)].join(' ');
const stateText = (state: StreamingState): string => state;
const asideText = ({ as, text }: Aside): string => `${as}: ${text}`;
const agendaText = ({ topic, todos }: Agenda): string =>
  [topic ?? 'no topic', ...todos.map(todoText)].join(' ');
const todoText = ({ description, status }: Todo): string => `${description} (${status})`;
const callText = ({ request, responseSubmittedToGemini }: TrackedToolCall): string =>
  `${request.name} ${responseSubmittedToGemini ? 'submitted' : 'not submitted'}`;

async function drawn(workspace: string) {
  const config = new Config({ targetDir: workspace });
  const toolRegistry = new ToolRegistry(config);
  toolRegistry.registerTool(defineTool(countDefinition));
  const scheduler = new Scheduler({ toolRegistry, config });
  const stop = new AbortController();
  try {
    const options: SessionStoreOptions = { knownSeq: 0 };
    const store = new SessionStore(await scheduler.session(), options);
    const following = store.follow(stop.signal);
    const stream = new AgentStream(store, parrot, 'me');
    await scheduler.schedule({ callId: 'c', name: 'word_count', args: { file_path: 'a.txt' } });
    await stream.submit('hello');
    stream.say('notice', 'That was all.');
    const text = renderToString(createElement(Screen, { store, stream }));
    stop.abort();
    await following;
    const aliases = [useReactToolScheduler === useToolScheduler, useGeminiStream === useAgentStream];
    return { text, aliases };
  } finally {
    await scheduler.dispose();
  }
}
