import { limit } from '../headless/headless-options.js';
import { expectNoMore, readChoice, readMode, readOptions, readStore } from '../options.js';

export type AcpOptions = ReturnType<typeof readAcpOptions>;

export function readAcpOptions(args: readonly string[]) {
  const { values, positionals } = readOptions('acp', args, {
    model: { type: 'string', short: 'm' },
    mode: { type: 'string' },
    store: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    sandbox: { type: 'string', short: 's' },
    'max-turns': { type: 'string' },
    'max-tokens': { type: 'string' },
    'max-cost': { type: 'string' },
    'fake-responses': { type: 'string' },
  });
  expectNoMore('acp', positionals);
  return {
    model: values.model,
    store: readStore(values.store),
    policyFiles: values.policy ?? [],
    toolModules: values.tools ?? [],
    limits: {
      ...limit('turnsMax', '--max-turns', values['max-turns'], 'whole'),
      ...limit('tokensMax', '--max-tokens', values['max-tokens'], 'whole'),
      ...limit('dollarsMax', '--max-cost', values['max-cost'], 'any'),
    },
    /** Recorded answers in place of a model: for tests and demonstrations. */
    fakeResponses: values['fake-responses'],
    flags: {
      approvalMode: readMode(values.mode),
      sandbox: readChoice('--sandbox', values.sandbox, ['off', 'on', 'required'] as const),
    },
  };
}
