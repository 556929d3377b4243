import { Readable } from 'node:stream';
import { readSession } from '@countersign/attach';
import { oneId, withSession } from '../compose/known-store.js';
import { promptCommand } from '../compose/next-commands.js';
import { exec } from '../exec/exec.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { readOptions } from '../options/options.js';

/** Resumes open calls, as `exec --resume` does; without open calls, prints how to continue. */
export async function resumeSession(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('sessions', args, {
    approvals: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    sandbox: { type: 'string' },
    store: { type: 'string' },
  });
  const id = oneId('sessions resume', positionals);
  const { state, next } = await withSession(values.store, id, io, 'write', async (journal, { owner }) => {
    if (owner) throw new CommandFailure({ code: 'session_owned', sessionId: id, ...owner.shown });
    const session = await readSession(journal, id);
    const { store } = values;
    return {
      state: session.turns.length > 0 ? ('open' as const) : ('over' as const),
      next: `To send another prompt:\n  ${await promptCommand({ journal, sessionId: id, store }, io)}`,
    };
  });
  if (state === 'over') {
    say(io, `${id} has no open calls. ${next}`);
    return EXIT.ok;
  }
  // Open calls continue; new calls are for `exec`.
  const readsInput = io.stdin.isTTY === true || values.approvals === 'stdio';
  const code = await exec(passedOn(id, values), readsInput ? io : { ...io, stdin: Readable.from([]) });
  if (code === EXIT.ok) say(io, next);
  return code;
}

type Passed = {
  readonly approvals?: string | undefined;
  readonly policy?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly sandbox?: string | undefined;
  readonly store?: string | undefined;
};

const passedOn = (
  id: string,
  { approvals, policy = [], tools = [], sandbox, store }: Passed,
): readonly string[] => [
  `--resume=${id}`,
  ...(approvals === undefined ? [] : [`--approvals=${approvals}`]),
  ...(store === undefined ? [] : [`--store=${store}`]),
  ...(sandbox === undefined ? [] : [`--sandbox=${sandbox}`]),
  ...policy.map((file) => `--policy=${file}`),
  ...tools.map((file) => `--tools=${file}`),
];
