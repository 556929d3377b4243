import { CHANNEL_NAMES, type ChannelName } from '@countersign/channels';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { canAsk } from '../io/same-terminal.js';
import { isKept, readChoice, readMode, type readOptions, readSandbox, readStore } from './options.js';

/** The options of every command that opens sessions. */
export const SESSION_OPTIONS = {
  mode: { type: 'string' },
  store: { type: 'string' },
  policy: { type: 'string', multiple: true },
  tools: { type: 'string', multiple: true },
  sandbox: { type: 'string' },
} as const;

type Given = ReturnType<typeof readOptions<typeof SESSION_OPTIONS>>['values'];

export const readSessionOptions = ({ mode, store, policy = [], tools = [], sandbox }: Given) => ({
  store: readStore(store),
  policyFiles: policy,
  toolModules: tools,
  flags: { approvalMode: readMode(mode), sandbox: readSandbox(sandbox) },
});

/** `--approvals` of a command that can ask in its own terminal. */
export function readApprovals(given: string | undefined, store: string | undefined, io: Io): ChannelName {
  const isInteractive = canAsk(io);
  const approvals = readChoice('--approvals', given, CHANNEL_NAMES) ?? (isInteractive ? 'terminal' : 'deny');
  if (approvals === 'terminal' && !isInteractive)
    throw usage('There is no terminal to ask in', '--approvals stdio | wait | deny');
  if (approvals === 'wait')
    expectSharedStore(store, '--approvals wait with another --store, or --approvals stdio');
  return approvals;
}

/** Other processes can only answer questions of a session that they can read. */
export function expectSharedStore(store: string | undefined, instead: string): void {
  if (!isKept(readStore(store)))
    throw usage('No other process can see a session that is kept in memory', instead);
}
