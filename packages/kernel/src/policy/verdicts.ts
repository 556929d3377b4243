import { type HookAdvice, type Need, needInWords, type RuleRef, type Verdict } from '@countersign/protocol';
import { hasEffects } from './effects.js';
import type { Rule, Subject } from './rule.js';

/**
 * A verdict is journaled for every call. All but those that name a path are
 * made once and shared.
 */
export function verdictOfRule(rule: Rule): Verdict {
  const label = labelOf(rule.ref);
  const matched = rule.args === null ? null : rule.args.type === 'argument' ? rule.args.key : 'arguments';
  const because = matched === null ? '' : ` because of its ${matched}`;
  const reason = {
    allow: `${label} allows this call${because}.`,
    ask_user: `${label} asks about this call${because}.`,
    deny: rule.denyMessage ?? `${label} denies this call${because}.`,
  }[rule.decision];
  return { decision: rule.decision, rule: rule.ref, reason, matched, because: 'rule' };
}

export const labelOf = ({ name, file, line }: RuleRef): string =>
  name === null ? `The rule at ${file}:${line}` : `Rule "${name}" (${file}:${line})`;

const verdict = (
  decision: Verdict['decision'],
  because: NonNullable<Verdict['because']>,
  reason: string,
  { rule = null, matched = null }: Partial<Pick<Verdict, 'rule' | 'matched'>> = {},
): Verdict => ({ decision, rule, reason, matched, because });

const BY_DEFAULT = {
  toolAllows: verdict('allow', 'default', 'No rule matches, and the tool itself needs no approval.'),
  toolAsks: verdict('ask_user', 'default', 'No rule matches, and the tool itself asks.'),
  effects: verdict('ask_user', 'default', 'It would make a change, and no rule allows that.'),
  noEffects: verdict('allow', 'default', 'It changes nothing, and no rule denies it.'),
} as const;

/** The verdict where no rule matches. */
export function verdictByDefault({ plan }: Pick<Subject, 'plan'>): Verdict {
  if (plan.byDefault === 'allow') return BY_DEFAULT.toolAllows;
  if (plan.byDefault === 'ask_user') return BY_DEFAULT.toolAsks;
  return hasEffects(plan) ? BY_DEFAULT.effects : BY_DEFAULT.noEffects;
}

export const BY_MODE = {
  plan: verdict('deny', 'mode', 'Plan mode is read-only, and this call would make a change.'),
  planning: verdict('allow', 'mode', 'Plan mode allows writing plans.'),
  autoEdit: verdict(
    'allow',
    'mode',
    'In auto_edit mode, edits of ordinary files inside the workspace are allowed.',
  ),
  yolo: verdict('allow', 'mode', 'In yolo mode, every call that is not denied is allowed.'),
  confirmAlways: verdict('ask_user', 'mode', 'In confirm_always mode, every call asks.'),
} as const;

/** For tools whose only purpose is to ask. */
export const QUESTION = verdict(
  'ask_user',
  'guard',
  'It is a question to the user, and only the user can answer it.',
);

const aboutCommand = (reason: string): Verdict =>
  verdict('ask_user', 'guard', reason, { matched: 'command' });
export const UNJUDGED_COMMAND = aboutCommand('Its command line has not been parsed.');
export const UNCLEAR_COMMAND = aboutCommand(
  'The unknown parts of its command line could match a rule that denies.',
);

export const guarded = (path: string, why: string): Verdict =>
  verdict('ask_user', 'guard', `It would touch ${path}: ${why}.`, { matched: path });

/** For `asksForOurs` and `refusesOurs`: the call would run this program. */
export const OWN_PROGRAM = 'run Countersign itself, which can answer questions and grant permissions';

export const asksForOurs = (what: string, rule: RuleRef | null): Verdict =>
  verdict('ask_user', 'guard', `It would ${what}. That asks each time.`, { rule });

export const refusesOurs = (what: string): Verdict =>
  verdict(
    'deny',
    'guard',
    `It would ${what}. Only a person may do that: an agent could answer its own questions or read a key. It asks only if a rule names it.`,
  );

const DECISION_OF_HOOK = { allow: 'allow', ask: 'ask_user', deny: 'deny' } as const;

export const byHook = ({ decision, reason }: HookAdvice): Verdict =>
  verdict(DECISION_OF_HOOK[decision], 'hook', reason);

/** For a person who is asked whether to grant the access that the sandbox blocked. */
export const bySandbox = (needs: readonly Need[]): Verdict =>
  verdict(
    'ask_user',
    'sandbox',
    `The sandbox blocked ${needs.map(needInWords).join(', and ')}. If you approve, the command runs again from the start, with that access.`,
  );

/** A person typed the call: that is their answer to what would be asked. */
export const typedByPerson = madeOnce((asked) => ({
  ...asked,
  decision: 'allow',
  reason: `The user typed this call, which approves it. ${asked.reason}`,
  because: 'person',
}));

export const deniedUnattended = madeOnce((asked) => ({
  ...asked,
  decision: 'deny',
  reason: `No user is attached to approve it. ${asked.reason}`,
  because: 'unattended',
}));

function madeOnce(make: (asked: Verdict) => Verdict): (asked: Verdict) => Verdict {
  const made = new WeakMap<Verdict, Verdict>();
  return (asked) => {
    let answer = made.get(asked);
    if (answer === undefined) {
      answer = make(asked);
      made.set(asked, answer);
    }
    return answer;
  };
}
