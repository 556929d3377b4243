import { usage } from '../failure-text.js';
import type { Io } from '../io.js';
import { expectNoMore, readChoice, readMode, readOptions, readStore } from '../options.js';
import { isSessionId } from '../session-id.js';

/** Beside that of `countersign serve`, so that what is configured in a client stays right. */
const DEFAULT_PORT = 7447;
const PORT_MAX = 65_535;

export type McpServeOptions = ReturnType<typeof readMcpServeOptions>;

export function readMcpServeOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('mcp', args, {
    http: { type: 'boolean' },
    port: { type: 'string' },
    workspace: { type: 'string' },
    store: { type: 'string' },
    session: { type: 'string' },
    resume: { type: 'string' },
    approvals: { type: 'string' },
    mode: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    sandbox: { type: 'string' },
    'with-mcp-servers': { type: 'boolean' },
  });
  expectNoMore('mcp', positionals);
  const isHttp = values.http ?? false;
  const { session, resume } = values;
  const approvals = readChoice('--approvals', values.approvals, ['wait', 'deny'] as const) ?? 'wait';
  if (values.port !== undefined && !isHttp) throw usage('--port is for --http', '--http --port N');
  if (isHttp && (session !== undefined || resume !== undefined))
    throw usage('Over HTTP each client has a session of its own', '--session and --resume without --http');
  if (session !== undefined && resume !== undefined)
    throw usage('Only one of --session and --resume can say which session', 'one of them');
  if (session !== undefined && !isSessionId(session))
    throw usage(
      `"${session}" can not be the id of a session`,
      '--session with letters, digits, ".", "_" and "-"',
    );
  if (approvals === 'wait' && values.store === ':memory:')
    throw usage(
      'Nobody else can see a session that is kept in memory',
      '--approvals deny, or another --store',
    );
  return {
    transport: isHttp
      ? ({ type: 'http', port: readPort(values.port) } as const)
      : ({ type: 'stdio' } as const),
    workspace: values.workspace ?? io.cwd,
    store: readStore(values.store),
    sessionId: session,
    resume,
    continueLast: false,
    approvals,
    policyFiles: values.policy ?? [],
    toolModules: values.tools ?? [],
    otherServers: values['with-mcp-servers'] ? ('offered' as const) : ('left out' as const),
    flags: {
      approvalMode: readMode(values.mode),
      sandbox: readChoice('--sandbox', values.sandbox, ['off', 'on', 'required'] as const),
    },
  };
}

function readPort(given: string | undefined): number {
  if (given === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= PORT_MAX))
    throw usage(`"${given}" is not a port`, `--port 0 to ${PORT_MAX}; 0 for any that is free`);
  return port;
}
