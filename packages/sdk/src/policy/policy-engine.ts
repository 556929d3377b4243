import { resolve } from 'node:path';
import { buildRule, supposeCall, Toolbox } from '@countersign/engine';
import { classify } from '@countersign/host';
import { compilePolicy, type Policy, type Rule, type TraceStep } from '@countersign/kernel';
import { explain, type JsonObject, type RuleRef } from '@countersign/protocol';
import { builtInTools, userTools } from '@countersign/tools';
import { type ApprovalModeSpelling, approvalModeOf } from '../types/approval-mode.js';
import type { ApprovalMode, PolicyDecision } from '../types/enums.js';
import { ASK_UNTIL_LOADED, fallbackRule, shippedRules } from './base-rules.js';
import { hashRules } from './hash-rules.js';
import { meanwhile, type PolicyRule, readPolicyRule, withEveryTool } from './policy-rule.js';

export type { PolicyRule } from './policy-rule.js';

/**
 * The argument of `PolicyEngine`.
 *
 * @example
 * ```ts
 * const options: PolicyEngineOptions = { rules: [{ toolName: 'web_*', decision: PolicyDecision.DENY }] };
 * ```
 */
export type PolicyEngineOptions = {
  readonly rules?: readonly PolicyRule[] | undefined;
  /** The decision where no rule matches. Absent: the tool itself decides, and what it leaves open asks if it has an effect. */
  readonly defaultDecision?: PolicyDecision | undefined;
  /** The mode that `check` and `explain` judge in; a scheduler judges in its own. */
  readonly approvalMode?: ApprovalModeSpelling | undefined;
  /** Whether a user can be asked, for `check` and `explain`. */
  readonly interactive?: boolean | undefined;
  /** The directory that built-in tools' paths count from, for `check` and `explain`. */
  readonly workspace?: string | undefined;
  /** false: the rules that ship with the program do not apply. */
  readonly defaults?: boolean | undefined;
};

/**
 * A call to be evaluated against the rules, without running it.
 *
 * @example
 * ```ts
 * const call: CallToJudge = { name: 'run_shell_command', args: { command: 'git status' } };
 * show((await new PolicyEngine({ rules: [] }).check(call)).decision);
 * ```
 */
export type CallToJudge = { readonly name?: string | undefined; readonly args?: JsonObject | undefined };

/**
 * The decision of policy about a call, and the reason.
 *
 * @example
 * ```ts
 * const result: CheckResult = await new PolicyEngine({ rules: [] }).check({ name: 'read_file' });
 * ```
 */
export type CheckResult = {
  readonly decision: PolicyDecision;
  /** The rule that decided; absent where a guard, the mode or the default decided. */
  readonly rule?: PolicyRule;
  readonly reason: string;
};

type Entry = { readonly given: PolicyRule; rules: readonly Rule[]; invalid: Error | null };

/**
 * Holds the rules of a program, and evaluates calls without running them. A rule that is added counts at once, also in
 * schedulers that are running.
 *
 * @example
 * ```ts
 * const policyEngine = new PolicyEngine({ rules: [{ toolName: 'run_shell_command', decision: PolicyDecision.DENY }] });
 * const { decision, reason } = await policyEngine.check({ name: 'run_shell_command', args: { command: 'ls' } });
 * show(decision, reason); // deny
 * ```
 */
export class PolicyEngine {
  readonly #entries: Entry[] = [];
  readonly #workspace: string;
  readonly #interactive: boolean;
  readonly #compiling = new Set<Promise<void>>();
  readonly #tools = new Toolbox([
    ...builtInTools({ sandbox: 'off' }),
    ...userTools({ env: process.env, isTrusted: false }),
  ]);
  /** Of a program's own tools; see `knowAliases`. */
  readonly #aliases = new Map<string, readonly string[]>();
  #base: readonly Rule[];
  #mode: ApprovalMode;
  #added = 0;
  #compiled: Policy | null = null;

  constructor(options: PolicyEngineOptions = {}) {
    const {
      rules = [],
      defaultDecision,
      approvalMode = 'manual',
      interactive = true,
      workspace = '.',
      defaults = true,
    } = options;
    this.#mode = approvalModeOf(approvalMode);
    this.#interactive = interactive;
    this.#workspace = resolve(workspace);
    const fallback = defaultDecision === undefined ? [] : [fallbackRule(defaultDecision)];
    this.#base = defaults ? [ASK_UNTIL_LOADED, ...fallback] : fallback;
    if (defaults) {
      const loaded = shippedRules().then((shipped) => {
        this.#base = [...shipped, ...fallback];
      });
      void this.#compile(loaded);
    }
    for (const rule of rules) void this.addRule(rule);
  }

  /** Resolves when every rule is in force exactly as written; rejects with the reason if one cannot be used. */
  async ready(): Promise<void> {
    while (this.#compiling.size > 0) await Promise.all(this.#compiling);
    for (const { invalid } of this.#entries) if (invalid) throw invalid;
  }

  /**
   * Adds a rule, and throws if it cannot be used. It counts at once. A pattern
   * given as text takes a moment to be compiled: until the promise resolves, a
   * rule that denies or asks does so for every call of its tools, and one that
   * allows does not count yet.
   */
  addRule(rule: PolicyRule): Promise<void> {
    const inForce = this.#take(rule);
    // A caller that does not wait gets the error from `ready`, and calls of its tools stay stopped.
    inForce.catch(() => undefined);
    return inForce;
  }

  /** Removes the rules that were given for exactly this tool name; the shipped ones stay. Returns how many. */
  removeRulesForTool(toolName: string): number {
    const before = this.#entries.length;
    const kept = this.#entries.filter(({ given }) => given.toolName !== toolName);
    this.#entries.splice(0, before, ...kept);
    this.#changed();
    return before - kept.length;
  }

  /** The rules that were given, in the order they were added. */
  getRules(): readonly PolicyRule[] {
    return this.#entries.map(({ given }) => given);
  }

  getApprovalMode(): ApprovalMode {
    return this.#mode;
  }

  setApprovalMode(mode: ApprovalModeSpelling): void {
    this.#mode = approvalModeOf(mode);
  }

  /** The decision of policy about a call. Nothing is run; a built-in tool plans the call. */
  async check(
    call: CallToJudge,
    serverName?: string,
    toolAnnotations?: JsonObject,
    subagent?: string,
  ): Promise<CheckResult> {
    const { trace: _, ...result } = await this.explain(call, serverName, toolAnnotations, subagent);
    return result;
  }

  /** The same with every rule that was considered, in order, and why it was met or not. */
  async explain(
    { name = '', args = {} }: CallToJudge,
    serverName?: string,
    toolAnnotations?: JsonObject,
    subagent?: string,
  ): Promise<CheckResult & { readonly trace: readonly TraceStep[] }> {
    await this.ready();
    const call = {
      tool: name,
      args,
      mcpServer: serverName ?? null,
      annotations: toolAnnotations ?? null,
      origin: 'model',
      mode: this.#mode,
      attended: this.#interactive,
      subagent: subagent ?? null,
    } as const;
    const supposed = await supposeCall(call, { tools: this.#tools, workspace: this.#workspace, classify });
    const { verdict, trace } = this.#policy().explain(supposed.subject);
    const { decision, reason, rule } = verdict;
    return { decision, reason, ...(rule && { rule: this.#givenFor(rule) }), trace };
  }

  /**
   * For registries: what else tools are called, so that a rule by such a name holds for every tool that answers to it.
   * Never forgotten, since a tool may come back.
   */
  knowAliases(aliases: ReadonlyMap<string, readonly string[]>): void {
    for (const [alias, tools] of aliases) {
      const known = this.#aliases.get(alias) ?? [];
      const all = [...new Set([...known, ...tools])];
      if (all.length === known.length) continue;
      this.#aliases.set(alias, all);
      this.#changed();
    }
  }

  /** The rules as the engine judges by them: always those of the moment. */
  asPolicy(): Policy {
    const policy = () => this.#policy();
    return {
      get hash() {
        return policy().hash;
      },
      judge: (subject) => policy().judge(subject),
      explain: (subject) => policy().explain(subject),
      asking: (subject) => policy().asking(subject),
      deniesOutright: (tool, mode, mcpServer) => policy().deniesOutright(tool, mode, mcpServer),
    };
  }

  #take(given: PolicyRule): Promise<void> {
    const read = readPolicyRule(given, ++this.#added, this.#tools.aliases());
    const entry: Entry = {
      given,
      rules: read.type === 'ready' ? read.rules : meanwhile(read.draft),
      invalid: null,
    };
    this.#entries.push(entry);
    this.#changed();
    if (read.type === 'ready') return Promise.resolve();
    const { file } = read.draft.rule.ref;
    const built = buildRule(read.draft, read.given).then((outcome) => {
      if (outcome.ok) entry.rules = outcome.rules;
      // It stays as strict as it is meanwhile, and every caller gets the error.
      else entry.invalid = new Error(explain({ code: 'policy_invalid', file, ...outcome.problem }).message);
    });
    return this.#compile(built).then(() => {
      if (entry.invalid) throw entry.invalid;
    });
  }

  #compile(work: Promise<void>): Promise<void> {
    const inForce = work.then(() => {
      this.#compiling.delete(inForce);
      this.#changed();
    });
    this.#compiling.add(inForce);
    return inForce;
  }

  #changed(): void {
    this.#compiled = null;
  }

  #policy(): Policy {
    if (this.#compiled === null) {
      const rules = [...this.#base, ...this.#entries.flatMap(({ rules: own }) => own)].map((rule) =>
        withEveryTool(rule, this.#aliases),
      );
      this.#compiled = compilePolicy(rules, hashRules(rules));
    }
    return this.#compiled;
  }

  #givenFor(ref: RuleRef): PolicyRule {
    const entry = this.#entries.find(({ rules }) => rules.some((rule) => rule.ref === ref));
    if (entry) return entry.given;
    const rule = this.#base.find((each) => each.ref === ref);
    const { name, priority, file, line } = ref;
    return {
      ...(name !== null && { name }),
      toolName: rule?.tools ?? '*',
      decision: rule?.decision ?? 'ask_user',
      priority,
      source: `${file}:${line}`,
    };
  }
}
