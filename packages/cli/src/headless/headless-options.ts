import { CHANNEL_NAMES } from '@countersign/channels';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { AGENT_OPTIONS, readAgentOptions } from '../options/agent-options.js';
import { expectNoMore, isKept, readChoice, readOptions, readStore } from '../options/options.js';
import { canAsk } from '../terminal/same-terminal.js';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export type HeadlessOptions = ReturnType<typeof readHeadlessOptions>;

export function readHeadlessOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('prompt', args, {
    prompt: { type: 'string', short: 'p' },
    'output-format': { type: 'string', short: 'o' },
    approvals: { type: 'string' },
    ...AGENT_OPTIONS,
  });
  if (values.prompt === undefined) expectNoMore('prompt', positionals);
  const format = readChoice('--output-format', values['output-format'], OUTPUT_FORMATS) ?? 'text';
  const interactive = canAsk(io);
  const approvals =
    readChoice('--approvals', values.approvals, CHANNEL_NAMES) ?? (interactive ? 'terminal' : 'deny');
  if (approvals === 'terminal' && !interactive)
    throw usage('There is no terminal to ask in', '--approvals stdio | wait | deny');
  if (approvals === 'stdio' && format !== 'stream-json')
    throw usage(
      'Questions over stdio are lines of JSON',
      '--approvals stdio with --output-format stream-json',
    );
  if (approvals === 'wait' && !isKept(readStore(values.store)))
    throw usage(
      'No other process can see a session that is kept in memory',
      '--approvals wait with another --store',
    );
  return {
    prompt: [values.prompt, ...positionals].filter((text) => text !== undefined).join(' '),
    format,
    approvals,
    ...readAgentOptions(values, io),
  };
}
