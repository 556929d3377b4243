import type { MessagePort } from 'node:worker_threads';
import type { PlanContext, PlanDraft, ResumeContext, Tool, ToolWords } from '@countersign/engine';
import type {
  AnswerPayload,
  ApprovalMode,
  AskedQuestion,
  Failure,
  GrantPattern,
  JsonObject,
  ModelFamily,
  Outcome,
} from '@countersign/protocol';

/** What passes between the program and the thread of a tool module (`bin/tool-worker.js`). */

export type ThreadData = {
  readonly file: string;
  readonly families: readonly ModelFamily[];
  /** Answers that the main thread waits for, and the flag that one is there. */
  readonly answers: MessagePort;
  readonly answered: Int32Array;
  /** Questions whose replies the thread waits for, and the flag that one is there. */
  readonly questions: MessagePort;
  readonly replied: Int32Array;
};

/** A tool without its functions. */
export type DeclaredTool = Pick<
  Tool,
  | 'name'
  | 'displayName'
  | 'description'
  | 'kind'
  | 'inputSchema'
  | 'canUpdateOutput'
  | 'mcpServer'
  | 'timeoutMs'
  | 'whenStopped'
> & {
  readonly aliases: readonly { readonly name: string; readonly isConditional: boolean }[];
  /** In the order of the families; null if it has the same words for all. */
  readonly overrides: readonly (ToolWords | null)[] | null;
  readonly has: { readonly [name in 'renameArgs' | 'withContent' | 'resume' | 'leave']: boolean };
};

export type SentPlanContext = Omit<PlanContext, 'signal' | 'wasRead' | 'earlier'>;
export type SentRunContext = Pick<
  ResumeContext,
  'sessionId' | 'callId' | 'workspace' | 'attempt' | 'plan' | 'permit' | 'answers' | 'startedAt'
>;

/** What a tool is to do. `draft` is the number of the call that made the plan. */
export type Work =
  | { readonly do: 'plan'; readonly args: JsonObject; readonly context: SentPlanContext }
  | { readonly do: 'run' | 'resume'; readonly args: JsonObject; readonly context: SentRunContext }
  | {
      readonly do: 'withContent';
      readonly args: JsonObject;
      readonly newContent: string;
      readonly original: string | null;
    }
  | {
      readonly do: 'leave';
      readonly context: { readonly sessionId: string; readonly sessionDirectory: string };
    }
  | {
      readonly do: 'answer';
      readonly draft: number;
      readonly outcome: Outcome;
      readonly payload: AnswerPayload;
    };

export type ToThread =
  | { readonly type: 'call'; readonly id: number; readonly tool: string; readonly work: Work }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'ping' }
  | {
      readonly type: 'reply';
      readonly request: number;
      readonly ok: boolean;
      readonly value?: unknown;
      readonly thrown?: Thrown;
    }
  | { readonly type: 'now'; readonly id: number; readonly tool: string; readonly ask: AskNow };

/** What the main thread asks and waits for. */
export type AskNow =
  | { readonly what: 'when'; readonly alias: number; readonly args: JsonObject }
  | { readonly what: 'renameArgs'; readonly args: JsonObject }
  | {
      readonly what: 'narrowGrant';
      readonly draft: number;
      readonly outcome: Outcome;
      readonly offered: GrantPattern;
    }
  | { readonly what: 'leaves'; readonly draft: number; readonly path: string };

export type AnswerNow =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** `notPlain`: the result cannot be copied. */
export type Thrown = {
  readonly message: string;
  readonly failure?: Failure;
  readonly output?: string | null;
  readonly notPlain?: true;
};

export type Note =
  | { readonly what: 'setMode'; readonly mode: ApprovalMode }
  | { readonly what: 'output'; readonly text: string }
  | { readonly what: 'process'; readonly pid: number }
  | {
      readonly what: 'progress';
      readonly done: number;
      readonly total: number | undefined;
      readonly message: string | undefined;
    };

/** What a running call asks for, by the number of the call. */
export type Asked =
  | { readonly id: number; readonly what: 'earlier'; readonly path: string }
  | {
      readonly id: number;
      readonly what: 'ask';
      readonly questions: readonly AskedQuestion[];
      readonly asker: string | undefined;
    };
export type AskedNow =
  | { readonly id: number; readonly what: 'wasRead'; readonly path: string }
  | { readonly id: number; readonly what: 'directory' | 'sessionDirectory' };

/** The outcome of `plan`: what is wrong with the arguments, or the plan, and which functions it has. */
export type SentPlan =
  | { readonly problems: readonly string[] }
  | {
      readonly draft: Omit<PlanDraft, 'onAnswer' | 'narrowGrant' | 'leaves'>;
      readonly functions: { readonly [name in 'onAnswer' | 'narrowGrant' | 'leaves']: boolean };
    };

export type FromThread =
  | { readonly type: 'ready'; readonly tools: readonly DeclaredTool[] }
  | { readonly type: 'unusable'; readonly problem: string }
  | { readonly type: 'pong' }
  /** From here on the call may have taken effect. */
  | { readonly type: 'begun'; readonly id: number }
  /** `whole`: it returned before it was told to stop, or never looked at its signal. */
  | {
      readonly type: 'done';
      readonly id: number;
      readonly ok: true;
      readonly value: unknown;
      readonly whole: boolean;
    }
  | { readonly type: 'done'; readonly id: number; readonly ok: false; readonly thrown: Thrown }
  | { readonly type: 'note'; readonly id: number; readonly note: Note }
  | { readonly type: 'request'; readonly request: number; readonly asked: Asked }
  | { readonly type: 'withdraw'; readonly request: number };
