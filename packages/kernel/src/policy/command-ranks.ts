import type { CommandUnit } from '@countersign/protocol';
import type { CommandRule } from './command-line/command-rule.js';
import type { Ranks } from './command-line/decide-command.js';
import { baseName } from './command-line/programs.js';
import type { Rule } from './rule.js';

export type RankedRule = CommandRule & { readonly rule: Rule };

/** More programs than a session runs. Beyond it the lists are made again: slower, never wrong. */
const PROGRAMS_REMEMBERED_MAX = 512;

/**
 * Rules about commands in order of strength, picked by the program they name:
 * a check of `git status` looks at the rules about git and at those about
 * everything, however many there are about other programs.
 */
export class CommandRanks {
  readonly #rules: readonly RankedRule[];
  readonly #byProgram = new Map<string, Ranks<RankedRule>>();
  #all: Ranks<RankedRule> | null = null;

  /** `rules`: strongest first. */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => ({
      decision: rule.decision,
      condition: rule.command,
      allowRedirection: rule.allowRedirection,
      rule,
    }));
  }

  /** Those that could mention a command; all of them where its program is not known, or for a text as a whole. */
  for(unit: CommandUnit | null): Ranks<RankedRule> {
    // A wrapper whose command is not known (`exec $x`) has a program, and could run any other.
    if (!unit?.program || unit.role.type === 'opaque') {
      this.#all ??= grouped(this.#rules);
      return this.#all;
    }
    const name = baseName(unit.program);
    let ranks = this.#byProgram.get(name);
    if (!ranks) {
      if (this.#byProgram.size >= PROGRAMS_REMEMBERED_MAX) this.#byProgram.clear();
      ranks = grouped(this.#rules.filter((rule) => mayName(rule, name)));
      this.#byProgram.set(name, ranks);
    }
    return ranks;
  }
}

const mayName = ({ condition }: RankedRule, name: string): boolean =>
  condition === null ||
  condition.type === 'regex' ||
  condition.words.some(([program]) => program !== undefined && baseName(program) === name);

function grouped(rules: readonly RankedRule[]): Ranks<RankedRule> {
  const ranks: RankedRule[][] = [];
  let last: RankedRule | null = null;
  for (const rule of rules) {
    if (last && isEquallyStrong(last, rule)) ranks.at(-1)?.push(rule);
    else ranks.push([rule]);
    last = rule;
  }
  return ranks;
}

const isEquallyStrong = ({ rule: { ref: a } }: RankedRule, { rule: { ref: b } }: RankedRule): boolean =>
  a.tier === b.tier && a.priority === b.priority;
