import type { CommandAnalysis, CommandUnit, Verdict } from '@countersign/protocol';
import { hasCallConditions, obstacleOfCall } from './call-conditions.js';
import {
  type CommandVerdict,
  decideCommand,
  decideUnit,
  mightBeDenied,
} from './command-line/decide-command.js';
import { assignsUs, mightRunUs, runsUs, spellsCall } from './command-line/own-program.js';
import { CommandRanks, type RankedRule } from './command-ranks.js';
import type { Rule, Subject, TraceStep } from './rule.js';
import { labelOf } from './verdicts.js';

/** The tool whose calls are many commands, each judged separately (SPEC P4). */
export const COMMAND_TOOL = 'run_shell_command';

/**
 * The rules that mention command lines in the same circumstances. A rule with a
 * condition on other arguments mentions all commands of the calls that meet it.
 */
export class CommandJudge {
  readonly #always: CommandRanks;
  readonly #rules: readonly Rule[];
  readonly #isPlain: boolean;

  /** Strongest first, and all of them in force. */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules.filter((rule) => !(rule.decision === 'allow' && isOnCommand(rule)));
    this.#isPlain = !this.#rules.some(hasCallConditions);
    this.#always = new CommandRanks(this.#isPlain ? this.#rules : []);
  }

  judge(subject: Subject, commands: CommandAnalysis): Verdict {
    const ranks = this.#ranksFor(subject);
    const fallback = subject.plan.byDefault ?? 'ask_user';
    return verdictOf(
      decideCommand(commands, (unit) => ranks.for(unit), fallback),
      commands,
    );
  }

  /** Whether unknown parts of the line could match a rule that denies: then no mode allows it without asking. */
  mightBeDenied(subject: Subject, commands: CommandAnalysis): boolean {
    const ranks = this.#ranksFor(subject);
    return mightBeDenied(commands, (unit) => ranks.for(unit));
  }

  /** Commands that no rule allows; null if the text as a whole asks. */
  asking(subject: Subject, commands: CommandAnalysis): readonly CommandUnit[] | null {
    const { problem, hiddenCharacters, evaluations, invalid, units } = commands;
    if (invalid !== null || problem !== null || hiddenCharacters.length > 0 || evaluations.length > 0)
      return null;
    // `exec < file` gives all that follows another input.
    if (
      units.some(({ words, input }) => words.length === 1 && words[0]?.text === 'exec' && input === 'given')
    )
      return null;
    const ranks = this.#ranksFor(subject);
    const fallback = subject.plan.byDefault ?? 'ask_user';
    // What runs this program asks each time, whatever allows it.
    return units.filter(
      (unit) => runsUs(unit) || decideUnit(unit, ranks.for(unit), fallback).decision !== 'allow',
    );
  }

  /** Whether a line would run this program, and whether rules of the user name every command that does. */
  runsUs(subject: Subject, commands: CommandAnalysis): 'as a rule says' | 'unasked for' | 'perhaps' | null {
    const ours = commands.units.filter((unit) => runsUs(unit) || spellsCall(unit, commands.text));
    if (ours.length === 0 && assignsUs(commands)) return 'unasked for';
    if (ours.length === 0) return mightRunUs(commands) ? 'perhaps' : null;
    const ranks = this.#ranksFor(subject);
    const isNamed = (unit: CommandUnit) => {
      const { rule } = decideUnit(unit, ranks.for(unit), 'ask_user');
      return rule !== null && rule.rule.ref.tier !== 'default' && namesUs(rule.rule);
    };
    return ours.every(isNamed) ? 'as a rule says' : 'unasked for';
  }

  /** Every rule that was considered for every command, in order. */
  trace(subject: Subject, commands: CommandAnalysis): readonly TraceStep[] {
    const ranks = this.#ranksFor(subject);
    const fallback = subject.plan.byDefault ?? 'ask_user';
    const obstacles = new Map(this.#rules.map((rule) => [rule, obstacleOfCall(rule, subject)]));
    return commands.units.flatMap((unit) => {
      const decided = decideUnit(unit, ranks.for(unit), fallback);
      const rules = new Set(
        ranks
          .for(unit)
          .flat()
          .map(({ rule }) => rule),
      );
      const until = decided.rule === null ? this.#rules.length : this.#rules.indexOf(decided.rule.rule);
      const passed = this.#rules.slice(0, until).flatMap((rule): TraceStep[] => {
        const obstacle = obstacles.get(rule) ?? null;
        if (obstacle === null && !rules.has(rule)) return [];
        const why = obstacle ?? `${quoted(unit, commands)}: it matches other commands.`;
        return [{ rule: rule.ref, met: false, why }];
      });
      return [
        ...passed,
        { rule: decided.rule?.rule.ref ?? null, met: true, why: verdictOf(decided, commands).reason },
      ];
    });
  }

  #ranksFor(subject: Subject): CommandRanks {
    if (this.#isPlain) return this.#always;
    return new CommandRanks(this.#rules.filter((rule) => obstacleOfCall(rule, subject) === null));
  }
}

/** A rule for `node` or for everything was not written with this program in mind. */
const namesUs = ({ command }: Rule): boolean => {
  if (command === null) return false;
  const texts = command.type === 'regex' ? [command.pattern.source ?? ''] : command.words.flat();
  return texts.some((text) => text.toLowerCase().includes('countersign'));
};

/** `git status; rm -rf ~` begins with `git status`: the text of a whole line may forbid, but not allow. */
const isOnCommand = ({ args, when }: Rule): boolean =>
  (args?.type === 'argument' && args.key === 'command') || (when ?? []).some(({ key }) => key === 'command');

function verdictOf(
  { decision, rule, unit, reasons }: CommandVerdict<RankedRule>,
  commands: CommandAnalysis,
): Verdict {
  const what = unit === null ? 'this command line' : quoted(unit, commands);
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  const span = unit === null ? {} : { span: unit.span };
  const matched = unit === null ? 'command' : textOf(unit, commands);
  if (rule === null) {
    const reason = {
      allow: `No rule denies ${what}`,
      ask_user: `${capital(what)} asks`,
      deny: `${capital(what)} is denied`,
    };
    return {
      decision,
      rule: null,
      reason: `${reason[decision]}${why}.`,
      matched,
      because: 'default',
      ...span,
    };
  }
  const label = labelOf(rule.rule.ref);
  const says = { allow: 'allows', ask_user: 'asks about', deny: 'denies' };
  const reason =
    decision === 'deny' && rule.rule.denyMessage !== null
      ? rule.rule.denyMessage
      : decision === rule.decision
        ? `${label} ${says[decision]} ${what}${why}.`
        : `${label} ${says[rule.decision]} ${what} only in part${why}.`;
  return { decision, rule: rule.rule.ref, reason, matched, because: 'rule', ...span };
}

const QUOTED_CHARS_MAX = 80;

const textOf = ({ span }: CommandUnit, { text }: CommandAnalysis): string => text.slice(span.start, span.end);

function quoted(unit: CommandUnit, commands: CommandAnalysis): string {
  const text = textOf(unit, commands).trim();
  return `\`${text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text}\``;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
