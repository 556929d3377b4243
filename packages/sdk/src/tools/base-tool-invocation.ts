import type { JsonObject } from '@countersign/protocol';
import type { MessageBus } from '../config/message-bus.js';
import type { ApprovalMode, ToolConfirmationOutcome } from '../types/enums.js';
import type {
  ExecuteOptions,
  ForcedDecision,
  PolicyUpdateOptions,
  ToolInvocation,
  ToolLocation,
  ToolOwnConfirmation,
  ToolResult,
} from '../types/tool-types.js';
import { contextOf } from './invocation-context.js';

/**
 * A validated call of a class-style tool. Subclasses describe it, declare what it touches, and execute it.
 *
 * @example
 * ```ts
 * class Touch extends BaseToolInvocation<{ path: string }, ToolResult> {
 *   getDescription() {
 *     return `Touch ${this.params.path}`;
 *   }
 *   override toolLocations() {
 *     return [{ path: this.params.path }];
 *   }
 *   async execute() {
 *     return { llmContent: 'Touched.', returnDisplay: 'Touched.' };
 *   }
 * }
 * ```
 */
export abstract class BaseToolInvocation<TParams extends object, TResult extends ToolResult>
  implements ToolInvocation<TParams, TResult>
{
  readonly #getApprovalMode: (() => ApprovalMode) | undefined;

  constructor(
    readonly params: TParams,
    /** Emits the questions of the call; it decides nothing. */
    readonly messageBus?: MessageBus,
    protected readonly toolName?: string,
    protected readonly toolDisplayName?: string,
    protected readonly serverName?: string,
    protected readonly toolAnnotations?: JsonObject,
    /** In `auto_edit` mode it needs no question. For tools that edit files of the workspace and nothing else. */
    readonly respectsAutoEdit: boolean = false,
    getApprovalMode?: () => ApprovalMode,
  ) {
    this.#getApprovalMode = getApprovalMode;
  }

  /** One line that describes to the user what this call would do. */
  abstract getDescription(): string;

  abstract execute(
    signal: AbortSignal,
    updateOutput?: (text: string) => void,
    options?: ExecuteOptions,
  ): Promise<TResult>;

  /** The files it would touch; whether they are read or written is a matter of the tool's `Kind`. */
  toolLocations(): readonly ToolLocation[] {
    return [];
  }

  getApprovalMode(): ApprovalMode {
    return this.#getApprovalMode?.() ?? contextOf(this).approvalMode();
  }

  /**
   * What the user is shown, or false if no approval is needed. The
   * answer counts where no rule of policy names the tool. When policy asks
   * anyway, `forcedDecision` is 'ask_user' and only the details count.
   */
  async shouldConfirmExecute(
    signal: AbortSignal,
    forcedDecision?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false> {
    const isFreeEdit = this.respectsAutoEdit && this.getApprovalMode() === 'auto_edit';
    if (forcedDecision === undefined && isFreeEdit) return false;
    const decision = forcedDecision ?? (await this.getMessageBusDecision(signal));
    switch (decision) {
      case 'allow':
        return false;
      case 'deny':
        throw new Error(`Policy denies this call of ${this.toolDisplayName ?? this.toolName ?? 'the tool'}.`);
      case 'ask_user':
        return this.getConfirmationDetails(signal);
    }
  }

  /** Narrows what an "always" grants; it cannot widen what was shown. */
  getPolicyUpdateOptions(_outcome: ToolConfirmationOutcome): PolicyUpdateOptions | undefined {
    return undefined;
  }

  /** The question itself; a plain one unless overridden. */
  protected async getConfirmationDetails(_signal: AbortSignal): Promise<ToolOwnConfirmation | false> {
    return {
      type: 'info',
      title: `Confirm: ${this.toolDisplayName ?? this.toolName ?? 'this call'}`,
      prompt: this.getDescription(),
    };
  }

  /** The decision of policy about this call. */
  protected getMessageBusDecision(signal: AbortSignal): Promise<ForcedDecision> {
    return contextOf(this).decide(signal);
  }
}
