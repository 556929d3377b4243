import { EDITORS } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { readChoice, readOptions } from '../options/options.js';
import { workspaceRequest } from '../options/places.js';
import { readSessionId } from '../options/session-id.js';
import { readApprovals, readSessionOptions, SESSION_OPTIONS } from '../options/session-options.js';

const EXAMPLE = `countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'`;

export type ExecOptions = ReturnType<typeof readExecOptions>;

export function readExecOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('exec', args, {
    json: { type: 'boolean' },
    events: { type: 'boolean' },
    yolo: { type: 'boolean' },
    workspace: { type: 'string' },
    approvals: { type: 'string' },
    session: { type: 'string' },
    resume: { type: 'string' },
    start: { type: 'string' },
    editor: { type: 'string' },
    ...SESSION_OPTIONS,
  });
  const approvals = readApprovals(values.approvals, values.store, io);
  if (values.yolo && values.mode) throw usage('--yolo already sets the mode', '--yolo or --mode, not both');
  if (values.resume !== undefined && values.session !== undefined)
    throw usage('--resume already names the session', '--resume ID alone');
  const piped = positionals.length === 0 && io.stdin.isTTY !== true;
  if (positionals.length === 0 && !piped && values.resume === undefined)
    throw usage('No calls were given', EXAMPLE);
  const { flags, ...session } = readSessionOptions(values);
  return {
    ...session,
    calls: positionals.map(parseCall),
    readsStdin: piped || approvals === 'stdio',
    events: values.events ?? false,
    workspace: workspaceRequest(values.workspace, io),
    approvals,
    sessionId: readSessionId(values.session),
    resume: values.resume,
    start: readChoice('--start', values.start, ['as_granted', 'together'] as const),
    flags: {
      ...flags,
      ...(values.yolo && { approvalMode: 'yolo' as const }),
      editor: readChoice('--editor', values.editor, EDITORS),
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
