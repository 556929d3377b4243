import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallHooks } from '@countersign/engine';
import { tooWide } from '@countersign/host';
import { PolicyEngine } from '../policy/policy-engine.js';
import { type ApprovalModeSpelling, approvalModeOf } from '../types/approval-mode.js';
import type { ApprovalMode } from '../types/enums.js';
import type { MCPServerConfig } from '../types/mcp-types.js';
import type { HookSettings } from './hook-settings.js';
import { MessageBus } from './message-bus.js';
import type { ToolCallEvent } from './records.js';

/**
 * The argument of `Config`.
 *
 * @example
 * ```ts
 * const parameters: ConfigParameters = { targetDir: '/home/me/project', interactive: false };
 * ```
 */
export type ConfigParameters = {
  /** How often to ask; `manual` if omitted. */
  readonly approvalMode?: ApprovalModeSpelling | undefined;
  /** The workspace; the current directory if omitted. */
  readonly targetDir?: string | undefined;
  /** The rules to judge by; those that ship with the program if omitted. */
  readonly policyEngine?: PolicyEngine | undefined;
  readonly messageBus?: MessageBus | undefined;
  readonly sessionId?: string | undefined;
  /** Whether a user can be asked. If not, a call that needs approval is denied, with the reason. */
  readonly interactive?: boolean | undefined;
  /** A shell command line that prints the project's own tools as a JSON list of function declarations. */
  readonly toolDiscoveryCommand?: string | undefined;
  /** A shell command line that runs one of them: its name is added as an argument, the call's arguments come as JSON on stdin. */
  readonly toolCallCommand?: string | undefined;
  /** MCP servers by name, in the format of Gemini CLI's settings. The program itself names them, so `trustedFolder` is not asked. */
  readonly mcpServers?: { readonly [name: string]: MCPServerConfig } | undefined;
  /** The only servers that may be used; all of them if omitted or empty. */
  readonly allowedMcpServers?: readonly string[] | undefined;
  /** Servers that may not be used, whatever else is said. */
  readonly blockedMcpServers?: readonly string[] | undefined;
  /** Where `save_memory` stores facts and `activate_skill` finds the user's skills; the directory of the program's settings if omitted. */
  readonly userDirectory?: string | undefined;
  /** Whether instructions that come with the workspace, such as skills, are used; not if omitted. */
  readonly trustedFolder?: boolean | undefined;
  /** Gets the record of every completed call. */
  readonly onToolCallRecord?: ((event: ToolCallEvent) => void | PromiseLike<void>) | undefined;
  /** What looks at every call before and after it runs, and may deny, ask, rewrite or replace: functions, or commands as in settings. */
  readonly hooks?: CallHooks | HookSettings | undefined;
};

/**
 * The values that several parts of an embedding program share. Each has a default.
 *
 * @example
 * ```ts
 * const config = new Config({ approvalMode: ApprovalMode.AUTO_EDIT, targetDir: '/home/me/project' });
 * ```
 */
export class Config {
  readonly onToolCallRecord: ConfigParameters['onToolCallRecord'];
  readonly #targetDir: string;
  readonly #sessionId: string;
  readonly #interactive: boolean;
  readonly #policyEngine: PolicyEngine;
  readonly #messageBus: MessageBus;
  readonly #parameters: ConfigParameters;
  readonly #modeListeners = new Set<(mode: ApprovalMode) => void>();
  #approvalMode: ApprovalMode;
  #realTargetDir: string | null = null;

  constructor(parameters: ConfigParameters = {}) {
    const { approvalMode, targetDir = workspaceHere(), interactive = true, policyEngine } = parameters;
    this.onToolCallRecord = parameters.onToolCallRecord;
    this.#targetDir = resolve(targetDir);
    this.#interactive = interactive;
    this.#parameters = { ...parameters };
    this.#sessionId = parameters.sessionId ?? randomUUID();
    this.#messageBus = parameters.messageBus ?? new MessageBus();
    this.#policyEngine = policyEngine ?? new PolicyEngine({ interactive, workspace: targetDir });
    this.#approvalMode = approvalModeOf(approvalMode ?? this.#policyEngine.getApprovalMode());
    this.#policyEngine.setApprovalMode(this.#approvalMode);
  }

  /** For calls that a user can be asked about, or not, whatever this configuration says. Everything else is the same. */
  static attended(config: Config, interactive: boolean): Config {
    return new Config({
      ...config.#parameters,
      approvalMode: config.#approvalMode,
      targetDir: config.#targetDir,
      policyEngine: config.#policyEngine,
      messageBus: config.#messageBus,
      sessionId: undefined,
      interactive,
    });
  }

  getApprovalMode(): ApprovalMode {
    return this.#approvalMode;
  }

  /** Counts at once, also for schedulers that are running. */
  setApprovalMode(mode: ApprovalModeSpelling): void {
    const changed = approvalModeOf(mode);
    if (changed === this.#approvalMode) return;
    this.#approvalMode = changed;
    this.#policyEngine.setApprovalMode(changed);
    for (const listener of [...this.#modeListeners]) listener(changed);
  }

  /** Calls the listener with every new mode, until the returned function is called. */
  onApprovalModeChange(listener: (mode: ApprovalMode) => void): () => void {
    this.#modeListeners.add(listener);
    return () => this.#modeListeners.delete(listener);
  }

  /** The workspace with every symlink resolved. It must exist when it is first asked for, not when this object is made. */
  getTargetDir(): string {
    this.#realTargetDir ??= realpathSync(this.#targetDir);
    return this.#realTargetDir;
  }

  getPolicyEngine(): PolicyEngine {
    return this.#policyEngine;
  }

  getMessageBus(): MessageBus {
    return this.#messageBus;
  }

  getSessionId(): string {
    return this.#sessionId;
  }

  getToolDiscoveryCommand(): string | undefined {
    return this.#parameters.toolDiscoveryCommand;
  }

  getToolCallCommand(): string | undefined {
    return this.#parameters.toolCallCommand;
  }

  getMcpServers(): { readonly [name: string]: MCPServerConfig } {
    return this.#parameters.mcpServers ?? {};
  }

  getAllowedMcpServers(): readonly string[] {
    return this.#parameters.allowedMcpServers ?? [];
  }

  getBlockedMcpServers(): readonly string[] {
    return this.#parameters.blockedMcpServers ?? [];
  }

  getHooks(): CallHooks | HookSettings | undefined {
    return this.#parameters.hooks;
  }

  getUserDirectory(): string | undefined {
    return this.#parameters.userDirectory;
  }

  isTrustedFolder(): boolean {
    return this.#parameters.trustedFolder ?? false;
  }

  isInteractive(): boolean {
    return this.#interactive;
  }
}

/** Where the program was started, unless that is far more than a project. */
function workspaceHere(): string {
  const here = process.cwd();
  const what = tooWide(here);
  if (what === null) return here;
  throw new Error(
    `${here} is ${what}, and was not given as the workspace. Set "targetDir", or start the program in a project.`,
  );
}
