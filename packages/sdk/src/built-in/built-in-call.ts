import { isDeepStrictEqual } from 'node:util';
import { type PlanDraft, supposeCall, type Tool, Toolbox } from '@countersign/engine';
import { classify, plainData, resolvePathSync } from '@countersign/host';
import type { Confirmation, JsonObject, Verdict } from '@countersign/protocol';
import { Config } from '../config/config.js';
import { Scheduler } from '../scheduler/core-tool-scheduler.js';
import { copyOf } from '../tools/normalized-tool.js';
import { describe } from '../tools/plain-tool.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { CompletedToolCall, WaitingToolCall } from '../types/call-types.js';
import type { ToolConfirmationOutcome } from '../types/enums.js';
import type {
  ForcedDecision,
  ToolConfirmationPayload,
  ToolInvocation,
  ToolLocation,
  ToolOwnConfirmation,
  ToolResult,
} from '../types/tool-types.js';
import { lookAt } from './look-at.js';

type Answer = { readonly outcome: ToolConfirmationOutcome; readonly payload: ToolConfirmationPayload };

/**
 * A call of a tool that we supply, built in or of an MCP server, which a program asks about and executes itself, as programs written for Gemini CLI do.
 *
 * `execute` is the program's consent to this call, and to nothing else: policy may still deny it, hooks see it, and a
 * question that differs from the one shown, or that the sandbox raises later, is declined.
 */
export class BuiltInCall implements ToolInvocation<JsonObject> {
  readonly #tool: Tool;
  readonly #config: Config;
  #draft: PlanDraft | null = null;
  #shown: Confirmation | null = null;
  #answer: Answer | null = null;

  constructor(
    tool: Tool,
    readonly params: JsonObject,
    config: Config,
  ) {
    this.#tool = tool;
    this.#config = config;
  }

  getDescription(): string {
    return this.#draft?.title ?? describe(this.#tool, this.params);
  }

  toolLocations(): readonly ToolLocation[] {
    if (this.#draft?.locations) return this.#draft.locations;
    const path = this.params['file_path'] ?? this.params['dir_path'];
    return typeof path === 'string' ? [{ path: resolvePathSync(this.#config.getTargetDir(), path) }] : [];
  }

  async shouldConfirmExecute(
    signal: AbortSignal,
    forcedDecision?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false> {
    try {
      this.#draft = await lookAt(this.#tool, this.params, this.#config, signal);
    } catch {
      // What cannot be planned has no effect: `execute` reports the reason.
      return false;
    }
    const { decision, reason } = forcedDecision
      ? { decision: forcedDecision, reason: `Policy denies this call of ${this.#tool.displayName}.` }
      : await this.#judge();
    if (decision === 'deny') throw new Error(reason);
    if (decision === 'allow') return false;
    const shown = this.#draft.confirmation ?? this.#plainQuestion(this.#draft);
    this.#shown = shown;
    return {
      ...shown,
      onConfirm: async (outcome, payload = {}) => {
        this.#answer = { outcome, payload };
      },
    };
  }

  async execute(signal: AbortSignal, updateOutput?: (text: string) => void): Promise<ToolResult> {
    const config = Config.attended(this.#config, true);
    const toolRegistry = new ToolRegistry(config);
    toolRegistry.registerTool(this.#tool);
    const asked = new Set<string>();
    const scheduler = new Scheduler({
      toolRegistry,
      config,
      outputUpdateHandler: updateOutput && ((_, text) => updateOutput(text)),
      onToolCallsUpdate: (calls) => {
        for (const call of calls) {
          if (call.status !== 'awaiting_approval' || asked.has(call.confirmationDetails.digest)) continue;
          asked.add(call.confirmationDetails.digest);
          const { outcome, payload } = asked.size === 1 ? this.#consentTo(call) : NO;
          void call.confirmationDetails.onConfirm(outcome, payload);
        }
      },
    });
    try {
      const request = { callId: this.#tool.name, name: this.#tool.name, args: this.params };
      const [call] = await scheduler.schedule({ ...request, isClientInitiated: true }, signal);
      return call ? resultOf(call) : failed('The call was not run: the scheduler was closed.');
    } finally {
      await scheduler.dispose();
    }
  }

  /** To what was shown, if anything was; never in place of a person whose own words are the answer. */
  #consentTo({ confirmationDetails: details }: WaitingToolCall): Answer {
    if (this.#shown !== null && !isDeepStrictEqual(this.#shown, onlyShown(details, this.#shown)))
      return CHANGED;
    if (this.#answer !== null) return this.#answer;
    return details.type === 'ask_user' || details.type === 'exit_plan_mode' ? NO : YES;
  }

  async #judge(): Promise<Pick<Verdict, 'decision' | 'reason'>> {
    const config = this.#config;
    const engine = config.getPolicyEngine();
    await engine.ready();
    const { subject } = await supposeCall(
      {
        tool: this.#tool.name,
        args: this.params,
        mcpServer: null,
        annotations: null,
        origin: 'client',
        mode: config.getApprovalMode(),
        attended: true,
        subagent: null,
      },
      { tools: new Toolbox([this.#tool]), workspace: config.getTargetDir(), classify },
    );
    const { mcpServer = null } = this.#tool;
    const annotations = this.#draft?.annotations ?? null;
    return engine.asPolicy().judge({ ...subject, mcpServer, annotations });
  }

  #plainQuestion({ title }: PlanDraft): Confirmation {
    const prompt = `${this.#tool.name} ${JSON.stringify(this.params, null, 2)}`;
    return { type: 'info', title, prompt, urls: [] };
  }
}

const YES: Answer = { outcome: 'proceed_once', payload: {} };
const NO: Answer = { outcome: 'cancel', payload: { feedback: 'The program did not consent to this.' } };
const CHANGED: Answer = {
  outcome: 'cancel',
  payload: { feedback: 'The call would now do something else than what was shown. Ask again.' },
};

/** The parts of a question that the one shown has too. */
const onlyShown = (details: object, shown: object): object =>
  Object.fromEntries(Object.entries(details).filter(([name]) => Object.hasOwn(shown, name)));

function resultOf({ status, response }: CompletedToolCall): ToolResult {
  const { responseParts, resultDisplay, error, errorType } = response;
  const [first, ...media] = responseParts;
  const answer = first?.functionResponse?.response ?? {};
  if (status !== 'success') return failed(error?.message ?? textIn(answer, 'error'), errorType);
  const text = textIn(answer, 'output');
  const parts = media.map(copyOf);
  const display = plainData(resultDisplay);
  return {
    llmContent: parts.length === 0 ? text : [{ text }, ...parts],
    returnDisplay: display.ok ? display.value : text,
  };
}

const textIn = (answer: { readonly [name: string]: unknown }, name: string): string => {
  const text = answer[name];
  return typeof text === 'string' ? text : '';
};

const failed = (message: string, type?: string): ToolResult => ({
  llmContent: message,
  returnDisplay: message,
  error: { message, type },
});
