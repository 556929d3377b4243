import { messageHandlers } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import type { RuleOrigins } from './compose.js';
import { type InForce, inForce } from './in-force.js';

/** Options that select rules, for every policy command. */
export const RULE_OPTIONS = {
  policy: { type: 'string', multiple: true },
  'no-defaults': { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

export type RuleOptions = {
  readonly policy?: readonly string[] | undefined;
  readonly 'no-defaults'?: boolean | undefined;
  /** Also print how rules are interpreted, not only warnings. */
  readonly verbose?: boolean | undefined;
};

/** The sources of rules, including a trusted workspace, and its settings. */
export async function originsOf(
  options: RuleOptions,
  io: Io,
  workspace: string,
  print?: (text: string) => void,
): Promise<Origins> {
  const { env } = io;
  const { onNotice, onMessage: onUntrusted } = messageHandlers(
    io,
    print,
    options.verbose ? 'everything' : 'warnings',
  );
  const { settings, policies, doubtAboutCommand } = await inForce({
    ...{ workspace, env, flags: {}, onNotice, onUntrusted },
  });
  return {
    policyFiles: options.policy ?? [],
    ofWorkspace: policies,
    env,
    shipped: options['no-defaults'] ? 'none' : 'all',
    onNotice,
    onMessage: onUntrusted,
    settings,
    doubtAboutCommand,
  };
}

export type Origins = RuleOrigins &
  Pick<InForce, 'settings' | 'doubtAboutCommand'> & { readonly onMessage: (text: string) => void };
