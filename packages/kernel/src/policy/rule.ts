import type {
  ApprovalMode,
  CommandAnalysis,
  CommandUnit,
  HookAdvice,
  Json,
  JsonObject,
  Origin,
  Plan,
  PolicyDecision,
  RuleRef,
  Verdict,
} from '@countersign/protocol';
import type { CommandCondition } from './command-line/command-rule.js';

/** A compiled regular expression whose running time is linear in the text. */
export type Pattern = { readonly source: string; test(text: string): boolean };

/** A condition on the arguments: typed top-level values, never text in which a nested property could pose as one. */
export type ArgsCondition =
  /** One top-level argument, which must be a string, matches. Rules that deny or ask also see other values, as JSON. */
  | { readonly type: 'argument'; readonly key: string; readonly pattern: Pattern }
  /** Stable JSON of all arguments matches. Only for rules that deny or ask. */
  | { readonly type: 'json'; readonly pattern: Pattern };

/** A condition on the value of one top-level argument. */
export type ArgumentTest = { readonly key: string } & (
  | { readonly type: 'compare'; readonly operator: 'gt' | 'gte' | 'lt' | 'lte'; readonly than: number }
  /** `isIn` false: it must be none of them. */
  | { readonly type: 'oneOf'; readonly values: readonly Json[]; readonly isIn: boolean }
  | { readonly type: 'matches'; readonly pattern: Pattern }
  | { readonly type: 'exists'; readonly exists: boolean }
);

/** A condition on the files that a call would touch: by their real paths, not by the text of an argument. */
export type PathsCondition = {
  /** Relative to the workspace, or absolute; `**` is any number of folders. */
  readonly patterns: readonly string[];
  readonly access: 'read' | 'write' | 'any';
};

/** An example of what a rule matches or does not match: arguments, or a command line for rules about commands. */
export type RuleExample = JsonObject | string;
export type RuleExamples = {
  readonly matches: readonly RuleExample[];
  readonly notMatches: readonly RuleExample[];
};

/** One line of policy, loaded and checked. */
export type Rule = {
  readonly ref: RuleRef;
  /** Canonical names or globs; any of them. */
  readonly tools: readonly string[];
  /** null: tools of any origin; `*`: tools of any MCP server. */
  readonly mcpServer: string | null;
  readonly args: ArgsCondition | null;
  /** Tests of single arguments, all of which have to hold. */
  readonly when?: readonly ArgumentTest[] | null;
  readonly paths?: PathsCondition | null;
  /** On each command of a line separately. A call that runs no command never matches. */
  readonly command: CommandCondition | null;
  readonly annotations: JsonObject | null;
  readonly decision: PolicyDecision;
  /** null: in every mode. */
  readonly modes: readonly ApprovalMode[] | null;
  /** null: whether or not a user is attached. */
  readonly interactive: boolean | null;
  readonly subagent: string | null;
  readonly allowRedirection: boolean;
  readonly denyMessage: string | null;
  readonly examples?: RuleExamples;
};

/** What is judged: one call as planned, and the circumstances. */
export type Subject = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly plan: Pick<Plan, 'kind' | 'resources' | 'named' | 'byDefault' | 'annotations'>;
  /** What rules' paths are relative to; absent where it is not known. */
  readonly workspace?: string;
  /** What its command line would run; null for other calls, and for a line that was not taken apart. */
  readonly commands: CommandAnalysis | null;
  readonly mcpServer: string | null;
  readonly annotations: JsonObject | null;
  readonly origin: Origin;
  readonly mode: ApprovalMode;
  readonly attended: boolean;
  readonly subagent: string | null;
  /** The advice of BeforeTool hooks; omitted where none ran. */
  readonly advice?: HookAdvice | null;
};

export type Policy = {
  /** Names this set of rules, so that an audit can say what was in force. */
  readonly hash: string;
  judge(subject: Subject): Verdict;
  /** The same verdict with every rule that was considered, in order. */
  explain(subject: Subject): { readonly verdict: Verdict; readonly trace: readonly TraceStep[] };
  /** The commands of a line that a grant would have to cover; null where none could, or where it is no line. */
  asking(subject: Subject): readonly CommandUnit[] | null;
  /** Whether a rule without conditions denies this tool, so that it need not be declared to a model. */
  deniesOutright(tool: string, mode: ApprovalMode, mcpServer?: string | null): boolean;
};

export type TraceStep = { readonly rule: RuleRef | null; readonly met: boolean; readonly why: string };

export type { Json };
