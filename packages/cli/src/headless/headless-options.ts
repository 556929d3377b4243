import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { AGENT_OPTIONS, readAgentOptions } from '../options/agent-options.js';
import { expectNoMore, readChoice, readOptions } from '../options/options.js';
import { readApprovals } from '../options/session-options.js';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;

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
  const approvals = readApprovals(values.approvals, values.store, io);
  if (approvals === 'stdio' && format !== 'stream-json')
    throw usage(
      'Questions over stdio are lines of JSON',
      '--approvals stdio with --output-format stream-json',
    );
  return {
    prompt: [values.prompt, ...positionals].filter((text) => text !== undefined).join(' '),
    format,
    approvals,
    ...readAgentOptions(values, io),
  };
}
