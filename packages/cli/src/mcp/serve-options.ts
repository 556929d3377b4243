import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { expectNoMore, readChoice, readOptions, readPort } from '../options/options.js';
import { workspaceRequest } from '../options/places.js';
import { readSessionId } from '../options/session-id.js';
import { expectSharedStore, readSessionOptions, SESSION_OPTIONS } from '../options/session-options.js';

/** Next to the port of `countersign serve`, and fixed, so that clients can configure it. */
const DEFAULT_PORT = 7447;

export type McpServeOptions = ReturnType<typeof readMcpServeOptions>;

export function readMcpServeOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('mcp', args, {
    http: { type: 'boolean' },
    port: { type: 'string' },
    workspace: { type: 'string' },
    session: { type: 'string' },
    resume: { type: 'string' },
    approvals: { type: 'string' },
    ...SESSION_OPTIONS,
    'with-mcp-servers': { type: 'boolean' },
  });
  expectNoMore('mcp', positionals);
  const isHttp = values.http ?? false;
  const { session, resume } = values;
  const approvals = readChoice('--approvals', values.approvals, ['wait', 'deny'] as const) ?? 'wait';
  if (values.port !== undefined && !isHttp) throw usage('--port requires --http', '--http --port N');
  if (isHttp && (session !== undefined || resume !== undefined))
    throw usage('Over HTTP each client has a session of its own', '--session and --resume without --http');
  if (session !== undefined && resume !== undefined)
    throw usage('Only one of --session and --resume can be given', 'one of them');
  if (approvals === 'wait') expectSharedStore(values.store, '--approvals deny, or another --store');
  return {
    transport: isHttp
      ? ({ type: 'http', port: readPort(values.port) ?? DEFAULT_PORT } as const)
      : ({ type: 'stdio' } as const),
    workspace: workspaceRequest(values.workspace, io),
    sessionId: readSessionId(session),
    resume,
    continueLast: false,
    approvals,
    otherServers: values['with-mcp-servers'] ? ('offered' as const) : ('omitted' as const),
    ...readSessionOptions(values),
  };
}
