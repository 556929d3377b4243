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
    /** Root, home or system directories that the editor may open. */
    workspaces: values.workspace ?? [],
    limits: readLimits(values),
    /** Recorded responses that replace a model, for tests and demonstrations. */
    fakeResponses: values['fake-responses'],
    ...readSessionOptions(values),
  };
}
