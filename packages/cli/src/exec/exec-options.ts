import { CHANNEL_NAMES } from '@countersign/channels';
import { EDITORS } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { isKept, readChoice, readMode, readOptions, readSandbox, readStore } from '../options/options.js';
import { workspaceRequest } from '../options/places.js';
import { readSessionId } from '../options/session-id.js';
import { canAsk } from '../terminal/same-terminal.js';

const EXAMPLE = `countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'`;

export type ExecOptions = ReturnType<typeof readExecOptions>;

export function readExecOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('exec', args, {
    json: { type: 'boolean' },
    events: { type: 'boolean' },
    mode: { type: 'string' },
    yolo: { type: 'boolean' },
    workspace: { type: 'string' },
    store: { type: 'string' },
    approvals: { type: 'string' },
    session: { type: 'string' },
    resume: { type: 'string' },
    start: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    editor: { type: 'string' },
    sandbox: { type: 'string' },
  });
  const interactive = canAsk(io);
  const approvals =
    readChoice('--approvals', values.approvals, CHANNEL_NAMES) ?? (interactive ? 'terminal' : 'deny');
  if (approvals === 'terminal' && !interactive)
    throw usage('There is no terminal to ask in', '--approvals stdio | wait | deny');
  if (approvals === 'wait' && !isKept(readStore(values.store))) {
    throw usage(
      'No other process can see a session that is kept in memory',
      '--approvals wait with another --store, or --approvals stdio',
    );
  }
  if (values.yolo && values.mode) throw usage('--yolo already sets the mode', '--yolo or --mode, not both');
  if (values.resume !== undefined && values.session !== undefined)
    throw usage('--resume already names the session', '--resume ID alone');
  const piped = positionals.length === 0 && io.stdin.isTTY !== true;
  if (positionals.length === 0 && !piped && values.resume === undefined)
    throw usage('No calls were given', EXAMPLE);
  return {
    calls: positionals.map(parseCall),
    readsStdin: piped || approvals === 'stdio',
    events: values.events ?? false,
    workspace: workspaceRequest(values.workspace, io),
    store: readStore(values.store),
    approvals,
    sessionId: readSessionId(values.session),
    resume: values.resume,
    start: readChoice('--start', values.start, ['as_granted', 'together'] as const),
    policyFiles: values.policy ?? [],
    toolModules: values.tools ?? [],
    flags: {
      approvalMode: values.yolo ? ('yolo' as const) : readMode(values.mode),
      editor: readChoice('--editor', values.editor, EDITORS),
      sandbox: readSandbox(values.sandbox),
    },
  };
}

function parseCall(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usage(`This is not JSON: ${text}`, EXAMPLE);
  }
}
