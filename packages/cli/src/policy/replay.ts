import { visibleLine } from '@countersign/display';
import { analyzeLine, type Journal, lineOf, readPages } from '@countersign/engine';
import { emptySession, evolve, type Policy, subjectOf } from '@countersign/kernel';
import type { ApprovalMode, Verdict } from '@countersign/protocol';
import { listFromStore } from '../compose/known-store.js';
import { RULE_OPTIONS } from '../compose/rule-options.js';
import type { ExitCode } from '../io/exit-codes.js';
import { CommandFailure } from '../io/failure-text.js';
import { type Io, printJson } from '../io/io.js';
import { expectNoMore, readMode, readOptions } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { CurrentRules } from './current-rules.js';
import { ruleLabel } from './verdict-text.js';

/** `countersign policy replay`: re-evaluates past calls against the current rules. */
export async function replay(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('policy', args, {
    json: { type: 'boolean' },
    ...RULE_OPTIONS,
    mode: { type: 'string' },
    session: { type: 'string', multiple: true },
    store: { type: 'string' },
  });
  expectNoMore('policy', positionals);
  const mode = readMode(values.mode);
  const rules = new CurrentRules(values, io);
  await rules.in(await realWorkspace(io.cwd));
  return listFromStore(values.store, 'No calls were evaluated', io, async (journal) => {
    const tally = new Tally();
    for (const { sessionId, workspace } of await sessionsOf(journal, values.session)) {
      for await (const again of judgedAgain(journal, sessionId, await rules.in(workspace), mode)) {
        tally.count(again);
        if (again.before.decision === again.now.decision) continue;
        if (values.json) printJson(io, differenceLine(again));
        else io.stdout.write(`${differenceText(again)}\n`);
      }
    }
    if (values.json) printJson(io, { type: 'summary', ...tally.result });
    else io.stdout.write(`${tally.inWords}\n`);
  });
}

type JudgedAgain = {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly before: Verdict;
  readonly now: Verdict;
};

async function sessionsOf(
  journal: Journal,
  wanted: readonly string[] | undefined,
): Promise<readonly SessionPlace[]> {
  const known = new Map((await journal.list()).toReversed().map((info) => [info.sessionId, info]));
  if (!wanted) return [...known.values()];
  return [...new Set(wanted)].map((sessionId) => {
    const info = known.get(sessionId);
    if (!info) throw new CommandFailure({ code: 'unknown_session', sessionId });
    return info;
  });
}

type SessionPlace = { readonly sessionId: string; readonly workspace: string };

/** Re-evaluates every verdict of a session with its original plan and attendance, in its original mode unless another is given. */
async function* judgedAgain(
  journal: Journal,
  sessionId: string,
  policy: Policy,
  mode: ApprovalMode | undefined,
): AsyncGenerator<JudgedAgain> {
  const session = emptySession(sessionId);
  for await (const page of readPages(journal, sessionId))
    for (const { event } of page) {
      evolve(session, event);
      if (event.type !== 'call.planned') continue;
      const request = session.calls.get(event.callId)?.request;
      if (!request) continue;
      const line = lineOf(request.name, request.args);
      const commands = line === null ? null : await analyzeLine(line);
      const judged = mode === undefined ? session : { ...session, mode };
      const subject = subjectOf(judged, request, event.plan, { commandsOf: () => commands });
      const { callId, name: tool } = request;
      yield {
        sessionId,
        callId,
        tool,
        title: event.plan.title,
        before: event.verdict,
        now: policy.judge(subject),
      };
    }
}

class Tally {
  #judged = 0;
  readonly #changes = new Map<string, number>();

  count({ before, now }: JudgedAgain): void {
    this.#judged++;
    if (before.decision === now.decision) return;
    const change = `${before.decision} -> ${now.decision}`;
    this.#changes.set(change, (this.#changes.get(change) ?? 0) + 1);
  }

  get result() {
    const differ = [...this.#changes.values()].reduce((sum, count) => sum + count, 0);
    return {
      judged: this.#judged,
      same: this.#judged - differ,
      differ,
      changes: Object.fromEntries(this.#changes),
    };
  }

  get inWords(): string {
    const { judged, differ } = this.result;
    const changes = [...this.#changes].map(([change, count]) => `${count} ${change}`).join(', ');
    return `${judged} re-evaluated, ${differ} would differ${differ === 0 ? '' : `: ${changes}`}.`;
  }
}

const differenceLine = ({ sessionId, callId, tool, title, before, now }: JudgedAgain) => ({
  type: 'difference',
  call: `${sessionId}/${callId}`,
  tool,
  title,
  before: { decision: before.decision, rule: before.rule, reason: before.reason },
  now: { decision: now.decision, rule: now.rule, reason: now.reason },
});

function differenceText({ sessionId, callId, title, before, now }: JudgedAgain): string {
  const spoke = ({ decision, rule, reason }: Verdict) =>
    visibleLine(`${decision}${rule === null ? '' : `, by ${ruleLabel(rule)}`}: ${reason}`);
  return `${visibleLine(`${sessionId}/${callId}  ${title}`)}\n  before  ${spoke(before)}\n  now     ${spoke(now)}`;
}
