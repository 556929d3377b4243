import type { RuleOrigins } from '../compose.js';
import { type Io, say } from '../io.js';

/** Options that say which rules count; every command about policy has them. */
export const RULE_OPTIONS = {
  policy: { type: 'string', multiple: true },
  'no-defaults': { type: 'boolean' },
} as const;

export type RuleOptions = {
  readonly policy?: readonly string[] | undefined;
  readonly 'no-defaults'?: boolean | undefined;
};

export const originsOf = (options: RuleOptions, io: Io): RuleOrigins => ({
  policyFiles: options.policy ?? [],
  env: io.env,
  shipped: options['no-defaults'] ? 'none' : 'all',
  onNotice: ({ file, line, text }) => say(io, `countersign: ${file}:${line}: ${text}`),
});
