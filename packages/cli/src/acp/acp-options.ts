import { LIMIT_OPTIONS, readLimits } from '../options/agent-options.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { readSessionOptions, SESSION_OPTIONS } from '../options/session-options.js';

export type AcpOptions = ReturnType<typeof readAcpOptions>;

export function readAcpOptions(args: readonly string[]) {
  const { values, positionals } = readOptions('acp', args, {
    model: { type: 'string', short: 'm' },
    workspace: { type: 'string', multiple: true },
    ...SESSION_OPTIONS,
    sandbox: { type: 'string', short: 's' },
    ...LIMIT_OPTIONS,
    'fake-responses': { type: 'string' },
  });
  expectNoMore('acp', positionals);
  return {
    model: values.model,
    /** Folders that an editor may open although they hold far more than a project. */
    workspaces: values.workspace ?? [],
    limits: readLimits(values),
    /** Recorded answers in place of a model: for tests and demonstrations. */
    fakeResponses: values['fake-responses'],
    ...readSessionOptions(values),
  };
}
