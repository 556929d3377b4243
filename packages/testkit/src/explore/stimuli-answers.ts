import type { Fresh, Hooked, Input, PlanOutcome } from '@countersign/kernel';
import { type AnswerPayload, type HookAdvice, OUTCOMES, type Outcome } from '@countersign/protocol';
import type { Stimulus } from './world/moment.js';
import { isOver, type SeenCall } from './world/seen.js';
import { BASES, type Basis, basisIn, type PlannedCall, planOf, targetIn } from './world/truth.js';
import type { World } from './world/world.js';

/** Time mostly stands still: it may change no order, so it need not multiply the states. */
export const AT = 1_000;

export class Stimuli {
  readonly all: Stimulus[] = [];
  add(input: Stimulus['input'], how: 'fair' | 'any' = 'any'): void {
    this.all.push({ input, fair: how === 'fair' });
  }
}

/** Everything that people may say to a call, asked or not. */
export function addAnswers(found: Stimuli, { happens }: World, call: SeenCall): void {
  const { callId, answer, shown } = call;
  if (answer) return addSecondAnswers(found, call, answer);
  if (isOver(call) || call.status !== 'awaiting_approval' || !shown) {
    // Not asked, not asked any more, or about to be asked something else.
    found.add(answerTo(call, { digest: call.plan?.digest ?? 'none' }));
    found.add(modifyTo(callId, call.plan?.digest ?? 'none', 'f'));
    return;
  }
  const { digest, offers } = shown;
  const basis = basisIn(digest);
  const same: Fresh = { type: 'planned', outcome: planned(call, basis, needsOf(call)) };

  for (const key of happens.keys) found.add(answerTo(call, { digest, outcome: 'cancel', key }), 'fair');
  for (const outcome of OUTCOMES) {
    if (!offers.has(outcome) || outcome === 'modify_with_editor')
      found.add(answerTo(call, { digest, outcome }));
  }
  for (const outcome of happens.answers) {
    const grants = offers.get(outcome);
    if (grants === undefined) continue;
    const limits = grants ? happens.uses : [null];
    for (const key of happens.keys) {
      for (const uses of limits) {
        const payload = uses === null ? {} : { uses };
        found.add(answerTo(call, { digest, outcome, key, fresh: same, payload }));
      }
    }
    if (grants && happens.badUses)
      found.add(answerTo(call, { digest, outcome, fresh: same, payload: { uses: 0 } }));
  }
  for (const stale of staleDigests(call, digest)) {
    found.add(answerTo(call, { digest: stale }));
    found.add(answerTo(call, { digest: stale, outcome: 'cancel' }));
    found.add(modifyTo(callId, stale, 'f'));
  }
  addChanges(found, happens, call, digest, basis);
}

/** The world changed since the question was asked, or a person changes what it is about. */
function addChanges(
  found: Stimuli,
  happens: World['happens'],
  call: SeenCall,
  digest: string,
  basis: Basis,
): void {
  const { callId } = call;
  const mayChange = call.plans < happens.plansMax;
  for (const look of happens.looks) {
    const fresh = freshLook(call, look);
    const changes = look === 'changed' || look === 'moved';
    if (!changes || (mayChange && look !== basis)) found.add(answerTo(call, { digest, fresh }));
    if (look === 'tool objects') found.add(answerTo(call, { digest, fresh, outcome: 'cancel' }));
  }
  if (!mayChange) return;
  for (const target of happens.edits) if (target !== call.target) found.add(modifyTo(callId, digest, target));
  for (const target of happens.rewrites) {
    const args = { args: { target }, argsHash: `${call.tool} ${target}` };
    const outcome = planned({ ...call, target }, 'first');
    const fresh = { type: 'rewritten', ...args, outcome, hooked: null } as const;
    found.add(answerTo(call, { digest, fresh }));
    for (const hooked of hookSayings(call, happens)) {
      const made = hooked.rewritten
        ? planned({ ...call, target: targetIn(hooked.rewritten.args) }, 'first')
        : outcome;
      found.add(answerTo(call, { digest, fresh: { ...fresh, outcome: made, hooked } }));
    }
    found.add(answerTo(call, { digest, fresh: { ...fresh, outcome: BAD_PLAN } }));
    found.add(answerTo(call, { digest, fresh, outcome: 'proceed_always' }));
  }
}

function freshLook(call: SeenCall, look: World['happens']['looks'][number]): Fresh {
  switch (look) {
    case 'skipped':
      return { type: 'unchanged' };
    case 'too late':
      return { type: 'unseen' };
    case 'tool objects':
      return { type: 'failed', failure: { code: 'execution_failed', message: '' } };
    case 'fails':
      return { type: 'planned', outcome: BAD_PLAN };
    case 'changed':
    case 'moved':
      return { type: 'planned', outcome: planned(call, look, needsOf(call)) };
  }
}

function addSecondAnswers(found: Stimuli, call: SeenCall, first: NonNullable<SeenCall['answer']>): void {
  const { outcome, digest, key, by } = first;
  found.add(answerTo(call, { outcome, digest, key, by }));
  found.add(answerTo(call, { outcome, digest, key: 'k2', by }));
  found.add(answerTo(call, { outcome, digest, key: null, by: 'bob' }));
  found.add(
    answerTo(call, { outcome: outcome === 'cancel' ? 'proceed_once' : 'cancel', digest, key: null, by }),
  );
  found.add(modifyTo(call.callId, digest, 'f'));
}

type Said = {
  readonly digest: string;
  readonly outcome?: Outcome;
  readonly key?: string | null;
  readonly by?: string;
  readonly fresh?: Fresh;
  readonly payload?: AnswerPayload;
};

export function answerTo({ callId }: { readonly callId: string }, said: Said): Input {
  const usual = {
    outcome: 'proceed_once',
    key: 'k1',
    by: 'ann',
    fresh: { type: 'unchanged' },
    payload: {},
  } as const;
  return { type: 'answer', callId, ...usual, ...said, grantId: `grant by ${said.digest}`, at: AT };
}

export const modifyTo = (callId: string, digest: string, target: string): Input => ({
  type: 'modify',
  callId,
  digest,
  args: { target },
  argsHash: target,
  by: 'ann',
  at: AT,
});

/** Every result of BeforeTool hooks, besides none. */
export function hookSayings(
  { tool }: Pick<SeenCall, 'tool'>,
  { advice, hookRewrites }: World['happens'],
): Hooked[] {
  const plain = advice.map((decision) => hookedWith(decision, null));
  const rewritten = hookRewrites.flatMap((target) => {
    const changed = { args: { target }, argsHash: `${tool} ${target}`, by: 'hook h' };
    const others = advice.filter((decision) => decision !== 'deny');
    return [null, ...others].map((decision) => hookedWith(decision, changed));
  });
  return [...plain, ...rewritten];
}

const hookedWith = (decision: HookAdvice['decision'] | null, rewritten: Hooked['rewritten']): Hooked => ({
  advice: decision && { decision, by: 'h', reason: '' },
  rewritten,
  notes: [],
});

export const planned = (call: PlannedCall, basis: Basis, blocks = 0): PlanOutcome => ({
  ok: true,
  ...planOf(call, basis, blocks),
});

const needsOf = ({ plan }: SeenCall): number => plan?.needs?.length ?? 0;

export const BAD_PLAN: PlanOutcome = {
  ok: false,
  failure: { code: 'invalid_tool_params', name: '', problems: [] },
};

/** Digests that were true once, or are true of something else. */
const staleDigests = (call: SeenCall, digest: string): readonly string[] => [
  ...BASES.map((basis) => planOf(call, basis, needsOf(call)).plan.digest).filter((other) => other !== digest),
  // What was agreed to before the sandbox stopped it.
  ...(needsOf(call) > 0 ? [planOf(call, 'first', needsOf(call) - 1).plan.digest] : []),
  // What it was before somebody edited it, or never.
  planOf({ ...call, target: call.target === 'f' ? 'x' : 'f' }, 'first').plan.digest,
];
