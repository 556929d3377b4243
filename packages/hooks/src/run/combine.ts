import { canonicalJson, type JsonObject } from '@countersign/protocol';
import { EVENTS, type HookEvent, type HookPayloads } from '../hook/events.js';
import type { HookAnswer, HookRun, TailCall } from '../hook/hook.js';
import { describeFailure, describeRefusal, nameOf, shortNameOf } from './describe-failure.js';

/** The combined result of all hooks of one event: plain data. */
export type HookReport = {
  readonly event: HookEvent;
  readonly verdict: HookVerdict;
  /** For the person. */
  readonly systemMessage: string | null;
  /** Some hook wants what it does kept out of logs. */
  readonly suppressOutput: boolean;
  /** BeforeTool: the arguments after all changes; null if they stay as they are. */
  readonly toolInput: JsonObject | null;
  /** For the model, to be added to the result or the prompt. */
  readonly additionalContext: string | null;
  /** AfterTool: a call whose result takes the place of this one's. */
  readonly tailCall: TailCall | null;
  /** The run of each hook, in order. */
  readonly runs: readonly HookRun[];
};

/**
 * The strictest word of all. `stop` ends the agent, and with it what the event announced; `deny` refuses only that.
 * Nothing is changed or followed up on where it is refused.
 */
export type HookVerdict =
  | { readonly type: (typeof STRICTEST_FIRST)[number]; readonly reason: string }
  | { readonly type: 'none' };

const STRICTEST_FIRST = ['stop', 'deny', 'ask', 'allow'] as const;

export function combine<E extends HookEvent>(
  event: E,
  payload: HookPayloads[E],
  runs: readonly HookRun[],
): HookReport {
  const verdict = EVENTS[event].refusable ? verdictOf(runs) : ({ type: 'none' } as const);
  const isRefused = verdict.type === 'stop' || verdict.type === 'deny';
  const answers = isRefused ? [] : answersIn(runs);
  const isBeforeTool = event === 'BeforeTool' && 'tool_input' in payload;
  return {
    event,
    verdict,
    systemMessage: joined(runs.map((run) => messageOf(run, EVENTS[event].refusable))),
    suppressOutput: answersIn(runs).some(({ suppressOutput }) => suppressOutput),
    toolInput: isBeforeTool && !isRefused ? changed(payload.tool_input, runs) : null,
    additionalContext: joined(answers.map(({ additionalContext }) => additionalContext)),
    tailCall: event === 'AfterTool' ? (answers.findLast(({ tailCall }) => tailCall)?.tailCall ?? null) : null,
    runs,
  };
}

/** The arguments with the changes of these hooks, one after the other: what no hook names stays as it was. */
export const rewritten = (input: JsonObject, runs: readonly HookRun[]): JsonObject =>
  answersIn(runs).reduce<JsonObject>((before, { toolInput }) => ({ ...before, ...toolInput }), input);

function changed(input: JsonObject, runs: readonly HookRun[]): JsonObject | null {
  const after = rewritten(input, runs);
  return canonicalJson(after) === canonicalJson(input) ? null : after;
}

function verdictOf(runs: readonly HookRun[]): HookVerdict {
  const words = runs.map(wordOf);
  for (const type of STRICTEST_FIRST) {
    const reason = joined(words.map((word) => (word.type === type ? word.reason : null)));
    if (reason !== null) return { type, reason };
  }
  return { type: 'none' };
}

/** The names of the hooks that gave the verdict, for people. */
export const hookNames = ({ verdict, runs }: HookReport): string =>
  runs
    .filter((run) => wordOf(run).type === verdict.type)
    .map(({ hook }) => shortNameOf(hook))
    .join(', ');

function wordOf(run: HookRun): HookVerdict {
  const { hook, outcome } = run;
  if (outcome.type === 'failed') {
    return isRefusal(run)
      ? { type: 'deny', reason: describeRefusal(hook, outcome.failure) }
      : { type: 'none' };
  }
  const { stop, decision, reason } = outcome.answer;
  if (stop !== null) {
    return {
      type: 'stop',
      reason: stop.reason ?? reason ?? `${nameOf(hook)} stopped the agent and gave no reason.`,
    };
  }
  return decision === null
    ? { type: 'none' }
    : { type: decision, reason: reason ?? `${nameOf(hook)} ${WITHOUT_REASON[decision]}` };
}

const WITHOUT_REASON = {
  deny: 'refused this and gave no reason.',
  ask: 'requires approval by the user.',
  allow: 'allowed it.',
} as const;

/** A hook that was cancelled or not run has not looked, whatever its failures otherwise mean. */
export const isRefusal = ({ outcome }: HookRun): boolean =>
  outcome.type === 'failed' &&
  (outcome.onFailure === 'deny' ||
    outcome.failure.how === 'cancelled' ||
    outcome.failure.how === 'not_trusted');

/** Messages to the user beside the verdict of a run. */
function messageOf(run: HookRun, refusable: boolean): string | null {
  const { hook, outcome } = run;
  if (outcome.type === 'answered') return outcome.answer.systemMessage;
  return refusable && isRefusal(run)
    ? null
    : `Warning: ${nameOf(hook)} failed and is ignored: ${describeFailure(outcome.failure)}.`;
}

const answersIn = (runs: readonly HookRun[]): readonly HookAnswer[] =>
  runs.flatMap(({ outcome }) => (outcome.type === 'answered' ? [outcome.answer] : []));

/** One text of all, a line or more each; null if there is none. */
function joined(texts: readonly (string | null)[]): string | null {
  const said = texts.filter((text) => text !== null);
  return said.length === 0 ? null : said.join('\n');
}
