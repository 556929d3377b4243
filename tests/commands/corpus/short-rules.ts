import { splitRuleText } from '@countersign/commands';
import type { CommandRule } from '@countersign/kernel';

const PREFIX_DECISIONS = { '+': 'allow', '>': 'allow', '=': 'allow', '-': 'deny', '?': 'ask_user' } as const;

/**
 * Rules in short, one per line or between `|`: `+git log` allows a prefix, `=git log` exactly that,
 * `>echo` a prefix with redirection, `-rm` denies, `?git push` asks; a sign alone is about every command.
 */
export function shortRules(text: string): readonly CommandRule[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const sign = part.slice(0, 1);
      if (!isSign(sign)) throw new Error(`no rule: ${part}`);
      const words = splitRuleText(part.slice(1));
      const condition =
        words.length === 0
          ? null
          : { type: sign === '=' ? ('exact' as const) : ('prefix' as const), words: [words] };
      return { decision: PREFIX_DECISIONS[sign], condition, allowRedirection: sign === '>' };
    });
}

const isSign = (sign: string): sign is keyof typeof PREFIX_DECISIONS => Object.hasOwn(PREFIX_DECISIONS, sign);
