import { readLimits } from '../options/agent-options.js';
import { expectNoMore, readMode, readOptions, readSandbox, readStore } from '../options/options.js';

export type AcpOptions = ReturnType<typeof readAcpOptions>;

export function readAcpOptions(args: readonly string[]) {
  const { values, positionals } = readOptions('acp', args, {
    model: { type: 'string', short: 'm' },
    mode: { type: 'string' },
    workspace: { type: 'string', multiple: true },
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
    /** Folders that an editor may open although they hold far more than a project. */
    workspaces: values.workspace ?? [],
    store: readStore(values.store),
    policyFiles: values.policy ?? [],
    toolModules: values.tools ?? [],
    limits: readLimits(values),
    /** Recorded answers in place of a model: for tests and demonstrations. */
    fakeResponses: values['fake-responses'],
    flags: {
      approvalMode: readMode(values.mode),
      sandbox: readSandbox(values.sandbox),
    },
  };
}
