import { createHash } from 'node:crypto';
import type { ArgumentTest, Rule } from '@countersign/kernel';
import { canonicalJson } from '@countersign/protocol';

/** Patterns are named by their source: what they do cannot be read from the objects. */
export function hashRules(rules: readonly Rule[]): string {
  const text = canonicalJson(
    rules.map(({ args, command, when = null, ...rest }) => ({
      ...rest,
      args: named(args),
      command: named(command),
      ...(when && { when: when.map(named) }),
    })),
  );
  return createHash('sha256').update(text).digest('hex');
}

function named(condition: Rule['args'] | Rule['command'] | ArgumentTest): unknown {
  return condition !== null && 'pattern' in condition
    ? { ...condition, pattern: condition.pattern.source }
    : condition;
}
