import type { CommandAnalysis, CommandUnit, PolicyDecision } from '@countersign/protocol';
import type { CommandRule } from './command-rule.js';
import { matchRule, type RuleMatch } from './match-rule.js';
import { namesDenied } from './unparsed.js';

/** The verdict of the rules on a command line, and why. */
export type CommandVerdict<R extends CommandRule = CommandRule> = {
  readonly decision: PolicyDecision;
  /** The rule that decided; null where none matched. */
  readonly rule: R | null;
  /** The command that was decisive; null when it was the text as a whole. */
  readonly unit: CommandUnit | null;
  readonly reasons: readonly string[];
};

/** Rules by strength, strongest first, those of equal strength together: of those the strictest wins. */
export type Ranks<R extends CommandRule> = readonly (readonly R[])[];

/**
 * Judges every command of the line; the strictest verdict is that of the line
 * (SEMANTICS 1.3 to 1.5). `ranksFor` gives the rules that could mention a
 * command; of the text as a whole, all of them.
 */
export function decideCommand<R extends CommandRule>(
  analysis: CommandAnalysis,
  ranksFor: (unit: CommandUnit | null) => Ranks<R>,
  fallback: PolicyDecision,
): CommandVerdict<R> {
  if (analysis.invalid !== null) {
    return {
      decision: 'deny',
      rule: null,
      unit: null,
      reasons: [`it cannot be run, because ${analysis.invalid}`],
    };
  }
  const units = analysis.units.length === 0 ? [NOTHING] : analysis.units;
  const verdicts = [
    ...units.map((unit) => decideUnit(unit, ranksFor(unit), fallback)),
    ...decideText(analysis, ranksFor(null)),
  ];
  return verdicts.reduce((strictest, each) => (isStricter(each, strictest) ? each : strictest));
}

/** An empty line, or a comment: only a rule about everything can mention it. */
const NOTHING: CommandUnit = {
  words: [],
  program: null,
  role: { type: 'neutral' },
  via: [],
  span: { start: 0, end: 0 },
  redirects: [],
  input: 'own',
  concerns: [],
};

/** The verdict on one command of the line. */
export function decideUnit<R extends CommandRule>(
  unit: CommandUnit,
  ranks: Ranks<R>,
  fallback: PolicyDecision,
): CommandVerdict<R> {
  let possible: R | null = null;
  for (const rank of ranks) {
    const matches = rank.map((rule) => ({ rule, match: matchRule(rule, unit) }));
    possible ??= matches.find(({ match }) => match.type === 'might')?.rule ?? null;
    const verdict = decideInRank(unit, matches);
    if (verdict === null) continue;
    if (verdict.decision !== 'allow' || possible === null) return verdict;
    const why =
      unit.role.type === 'opaque' ? unit.role.why : 'its unknown parts could match a rule that denies';
    return { decision: 'ask_user', rule: possible, unit, reasons: [why] };
  }
  const { role, concerns } = unit;
  const ask = fallback === 'deny' ? 'deny' : 'ask_user';
  if (role.type === 'opaque') return { decision: ask, rule: null, unit, reasons: [role.why] };
  if (role.type === 'neutral') {
    const reasons = concerns.map(({ why }) => why);
    return { decision: reasons.length === 0 ? 'allow' : ask, rule: null, unit, reasons };
  }
  return { decision: fallback, rule: null, unit, reasons: ['no rule matches'] };
}

type Matched<R> = { readonly rule: R; readonly match: RuleMatch };

/** Of rules of equal strength the strictest wins; of those that allow, the one that covers most. */
function decideInRank<R extends CommandRule>(
  unit: CommandUnit,
  matches: readonly Matched<R>[],
): CommandVerdict<R> | null {
  const applying = matches.flatMap(({ rule, match }) =>
    match.type === 'applies' ? [{ rule, left: match.left }] : [],
  );
  for (const decision of ['deny', 'ask_user'] as const) {
    const found = applying.find(({ rule }) => rule.decision === decision);
    if (found !== undefined) return { decision, rule: found.rule, unit, reasons: [] };
  }
  const allowing = applying.toSorted((a, b) => a.left.length - b.left.length)[0];
  if (allowing === undefined) return null;
  const reasons = allowing.left.map(({ why }) => why);
  return { decision: reasons.length === 0 ? 'allow' : 'ask_user', rule: allowing.rule, unit, reasons };
}

/** What concerns the text as a whole. */
function decideText<R extends CommandRule>(analysis: CommandAnalysis, ranks: Ranks<R>): CommandVerdict<R>[] {
  const { problem, hiddenCharacters, evaluations } = analysis;
  const verdicts: CommandVerdict<R>[] = [];
  const ask = (reason: string) =>
    verdicts.push({ decision: 'ask_user', rule: null, unit: null, reasons: [reason] });
  if (hiddenCharacters.length > 0) ask('it holds invisible characters');
  for (const { why } of evaluations)
    ask(`it ${why}, and that text holds a command or sets a variable that matters`);
  if (problem !== null) {
    ask(`it cannot be parsed as bash: ${problem}`);
    const rule = ranks.flat().find((each) => each.decision === 'deny' && namesDenied(analysis.text, each));
    if (rule !== undefined)
      verdicts.push({
        decision: 'deny',
        rule,
        unit: null,
        reasons: ['it cannot be parsed, and names a denied program'],
      });
  }
  return verdicts;
}

/** Whether what is not known of the line could be something that a rule denies. */
export function mightBeDenied(
  { units, problem, hiddenCharacters, evaluations }: CommandAnalysis,
  ranksFor: (unit: CommandUnit | null) => Ranks<CommandRule>,
): boolean {
  const denies = ({ decision }: CommandRule) => decision === 'deny';
  // Code from an input or a start-up file (`bash <<< …`) is not among the units.
  const hasCode = units.some(({ concerns }) => concerns.some(({ type }) => type === 'code'));
  const isUnclear = problem !== null || hiddenCharacters.length > 0 || evaluations.length > 0 || hasCode;
  if (isUnclear && ranksFor(null).flat().some(denies)) return true;
  return units.some((unit) =>
    ranksFor(unit)
      .flat()
      .some((rule) => denies(rule) && matchRule(rule, unit).type === 'might'),
  );
}

const STRICTNESS: { readonly [D in PolicyDecision]: number } = { allow: 0, ask_user: 1, deny: 2 };

const isStricter = (a: CommandVerdict, b: CommandVerdict): boolean =>
  STRICTNESS[a.decision] > STRICTNESS[b.decision];
