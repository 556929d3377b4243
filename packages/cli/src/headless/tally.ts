import type { AgentEvent } from '@countersign/agent';
import type { SettledCall } from '@countersign/protocol';
import type { Bill } from './output.js';

type Decision = 'accept' | 'reject' | 'modify' | 'auto_accept';
type ToolTally = {
  count: number;
  success: number;
  fail: number;
  durationMs: number;
  readonly decisions: { [D in Decision]: number };
};

/** Counts calls, tokens and changes of a run, in the format that scripts of Gemini CLI read. */
export class Tally {
  readonly #startedAt = performance.now();
  readonly #tools = new Map<string, ToolTally>();
  readonly #counted = new Set<string>();
  #linesAdded = 0;
  #linesRemoved = 0;
  #modelErrors = 0;
  #modelMs = 0;

  /** Counts an ended call. Only status `success` counts as a success. */
  settled(call: SettledCall): void {
    const { name, turn, callId, within } = call.request;
    // The model did not request it.
    if (within) return;
    if (this.#counted.has(`${turn} ${callId}`)) return;
    this.#counted.add(`${turn} ${callId}`);
    const tally = this.#tools.get(name) ?? emptyTally();
    this.#tools.set(name, tally);
    tally.count++;
    if (call.status === 'success') tally.success++;
    else tally.fail++;
    if (call.startedAt !== null) tally.durationMs += call.endedAt - call.startedAt;
    tally.decisions[decisionOn(call)]++;
    const display = call.status === 'success' ? call.result.returnDisplay : null;
    const stat =
      typeof display === 'object' && display !== null && 'diffStat' in display ? display.diffStat : null;
    if (typeof stat !== 'object' || stat === null || !('added' in stat && 'removed' in stat)) return;
    this.#linesAdded += Number(stat.added) || 0;
    this.#linesRemoved += Number(stat.removed) || 0;
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'finished') this.#modelMs += event.value.durationMs;
    if (event.type === 'retry' || (event.type === 'error' && event.value.failure.code.startsWith('model_')))
      this.#modelErrors++;
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  get toolCalls(): number {
    return [...this.#tools.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** `stats` of the output format `json`. */
  stats({ model, spent: { requests, ...tokens } }: Bill) {
    const tools = [...this.#tools];
    const total = (pick: (tally: ToolTally) => number) =>
      tools.reduce((sum, [, tally]) => sum + pick(tally), 0);
    const decided = (decision: Decision) => total(({ decisions }) => decisions[decision]);
    return {
      models: {
        [model]: {
          api: { totalRequests: requests, totalErrors: this.#modelErrors, totalLatencyMs: this.#modelMs },
          tokens: {
            prompt: tokens.inputTokens,
            // As in Gemini CLI, thoughts are counted beside the answer: prompt, candidates and thoughts add up to the total.
            candidates: tokens.outputTokens - tokens.thoughtTokens,
            total: tokens.inputTokens + tokens.outputTokens,
            cached: tokens.cachedTokens,
            thoughts: tokens.thoughtTokens,
          },
          cost: tokens.cost,
        },
      },
      tools: {
        totalCalls: this.toolCalls,
        totalSuccess: total(({ success }) => success),
        totalFail: total(({ fail }) => fail),
        totalDurationMs: total(({ durationMs }) => durationMs),
        totalDecisions: {
          accept: decided('accept'),
          reject: decided('reject'),
          modify: decided('modify'),
          auto_accept: decided('auto_accept'),
        },
        byName: Object.fromEntries(tools),
      },
      files: { totalLinesAdded: this.#linesAdded, totalLinesRemoved: this.#linesRemoved },
    };
  }
}

const emptyTally = (): ToolTally => ({
  count: 0,
  success: 0,
  fail: 0,
  durationMs: 0,
  decisions: { accept: 0, reject: 0, modify: 0, auto_accept: 0 },
});

function decisionOn(call: SettledCall): Decision {
  if (call.answer === null) return call.startedAt === null ? 'reject' : 'auto_accept';
  if (call.answer.outcome === 'cancel') return 'reject';
  return call.request.revision > 0 ? 'modify' : 'accept';
}
