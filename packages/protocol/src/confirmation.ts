import type { JsonObject } from './json/json.js';
import type { GrantPattern, GrantScope } from './policy/grant.js';
import type { Need } from './reach/need.js';

export type DiffStat = { readonly added: number; readonly removed: number };

export type RiskLevel = 'low' | 'medium' | 'high';

export type AskedQuestion = {
  readonly question: string;
  readonly header: string;
  readonly type: 'choice' | 'text' | 'yesno';
  readonly options?: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect?: boolean;
  readonly placeholder?: string;
};

/**
 * What a person is shown before a call may run, by `type`. Plain data: it is stored, sent and drawn by any front end.
 *
 * @example
 * ```ts
 * const summary = (shown: Confirmation) => (shown.type === 'exec' ? shown.command : shown.title);
 * ```
 */
export type Confirmation =
  | {
      readonly type: 'edit';
      readonly title: string;
      readonly fileName: string;
      readonly filePath: string;
      readonly fileDiff: string;
      /** null when the file does not exist yet. */
      readonly originalContent: string | null;
      readonly newContent: string;
      readonly diffStat: DiffStat;
      /** Things worth knowing before agreeing, e.g. that the file was never read in this session. */
      readonly notes?: readonly string[];
    }
  | {
      readonly type: 'exec';
      readonly title: string;
      readonly command: string;
      readonly rootCommand: string;
      readonly rootCommands: readonly string[];
      readonly directory: string;
      readonly riskLevel: RiskLevel;
      readonly riskReasons: readonly string[];
      /** What it may reach once approved; omitted where nothing is known of a sandbox. */
      readonly reach?: Reach;
    }
  | {
      readonly type: 'mcp';
      readonly title: string;
      readonly serverName: string;
      readonly toolName: string;
      readonly toolDisplayName: string;
      readonly toolArgs: JsonObject;
      readonly toolDescription: string;
    }
  | {
      readonly type: 'info';
      readonly title: string;
      readonly prompt: string;
      readonly urls: readonly string[];
    }
  | { readonly type: 'ask_user'; readonly title: string; readonly questions: readonly AskedQuestion[] }
  | {
      readonly type: 'exit_plan_mode';
      readonly title: string;
      readonly planPath: string;
      readonly plan: string;
    };

/** With which permissions a command runs if the person agrees. */
export type Reach =
  /** With all that the person running this program may do. */
  | { readonly type: 'everything'; readonly why: string }
  /** In the sandbox: the workspace, and `needs` beyond it. */
  | { readonly type: 'confined'; readonly needs: readonly Need[] };

export const OUTCOMES = [
  'proceed_once',
  'proceed_always',
  'proceed_always_tool',
  'proceed_always_server',
  'proceed_always_and_save',
  'modify_with_editor',
  'cancel',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/**
 * A possible answer. `grant` describes everything that an "always" would allow.
 *
 * @example
 * ```ts
 * const labels = (offers: readonly Offer[]) => offers.map(({ outcome, grant }) => grant?.text ?? outcome);
 * ```
 */
export type Offer = {
  readonly outcome: Outcome;
  readonly grant: {
    readonly pattern: GrantPattern;
    readonly scope: 'session' | 'project';
    /** The scopes that the answer may choose instead; without them only `scope`, or the session. */
    readonly scopes?: readonly GrantScope[];
    readonly text: string;
  } | null;
};
