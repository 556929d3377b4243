import type { CommandConcern, CommandUnit, CommandWord } from '@countersign/protocol';
import type { CommandRule } from './command-rule.js';
import { allowedForms, wordsAreAllowed, wordsAreForbidden } from './match-words.js';
import { baseName } from './programs.js';

/**
 * Whether a rule matches one command.
 * `applies`: it does. For a rule that allows, `left` is what it does not cover: with any of it, allow becomes ask.
 * `might`: it denies or asks, and what is not known of the command could be what it is about.
 */
export type RuleMatch =
  | { readonly type: 'no' }
  | { readonly type: 'might' }
  | { readonly type: 'applies'; readonly left: readonly CommandConcern[] };

const NO: RuleMatch = { type: 'no' };
const APPLIES: RuleMatch = { type: 'applies', left: [] };

export function matchRule(rule: CommandRule, unit: CommandUnit): RuleMatch {
  return rule.decision === 'allow' ? matchAllowing(rule, unit) : matchForbidding(rule, unit);
}

function matchAllowing({ condition, allowRedirection }: CommandRule, unit: CommandUnit): RuleMatch {
  // "Everything" covers redirections, the environment and escapes, but not code that is not shown.
  if (condition === null)
    return { type: 'applies', left: unit.concerns.filter(({ type }) => type === 'code') };
  if (unit.role.type === 'opaque') return NO;
  const named = namedBy(condition, unit.words);
  if (named === null) return NO;
  const isCovered = (concern: CommandConcern): boolean => {
    switch (concern.type) {
      case 'redirect':
        return allowRedirection && concern.to === 'file';
      case 'escape':
        return condition.type === 'exact' || (concern.word !== null && named.includes(concern.word));
      case 'variable':
      case 'code':
        return false;
    }
  };
  return { type: 'applies', left: unit.concerns.filter((concern) => !isCovered(concern)) };
}

/** The words that the rule itself spells out; null if it does not match. */
function namedBy(
  condition: NonNullable<CommandRule['condition']>,
  words: readonly CommandWord[],
): readonly string[] | null {
  for (const form of allowedForms(words)) {
    if (condition.type === 'regex') {
      const isFixed = form.length > 0 && form.every(({ text }) => text !== null);
      if (isFixed && condition.pattern.test(joined(form))) return [];
      continue;
    }
    const found = condition.words.find((rule) => wordsAreAllowed(rule, form, condition.type));
    if (found !== undefined) return found;
  }
  return null;
}

function matchForbidding({ condition }: CommandRule, unit: CommandUnit): RuleMatch {
  if (condition === null) return APPLIES;
  const { words, role } = unit;
  const matches =
    condition.type === 'regex'
      ? [matchesRegex(condition.pattern, words) ? 'yes' : 'no']
      : condition.words.map((rule) => wordsAreForbidden(rule, words, condition.type));
  if (matches.includes('yes')) return APPLIES;
  return matches.includes('might') || role.type === 'opaque' ? { type: 'might' } : NO;
}

function matchesRegex(pattern: { test(text: string): boolean }, words: readonly CommandWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return false;
  const plain = { ...program, outline: baseName(program.outline) };
  const subCommand = rest.findIndex(({ leading }) => !leading.startsWith('-'));
  const forms = [
    words,
    [plain, ...rest],
    ...[0, 1].map((extra) => [plain, ...rest.slice(subCommand + extra)]),
  ];
  return forms.some((form) => pattern.test(joined(form)));
}

const joined = (words: readonly CommandWord[]): string => words.map(({ outline }) => outline).join(' ');
