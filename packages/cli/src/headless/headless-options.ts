import { EDITORS } from '@countersign/tools';
import { usage } from '../failure-text.js';
import type { Io } from '../io.js';
import { expectNoMore, readChoice, readMode, readOptions, readStore } from '../options.js';
import { isSessionId } from '../session-id.js';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
const APPROVAL_CHANNELS = ['stdio', 'terminal', 'wait', 'deny'] as const;

export type HeadlessOptions = ReturnType<typeof readHeadlessOptions>;

export function readHeadlessOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('prompt', args, {
    prompt: { type: 'string', short: 'p' },
    model: { type: 'string', short: 'm' },
    mode: { type: 'string' },
    'approval-mode': { type: 'string' },
    yolo: { type: 'boolean', short: 'y' },
    continue: { type: 'boolean', short: 'c' },
    resume: { type: 'string', short: 'r' },
    session: { type: 'string' },
    'output-format': { type: 'string', short: 'o' },
    approvals: { type: 'string' },
    workspace: { type: 'string' },
    store: { type: 'string' },
    policy: { type: 'string', multiple: true },
    tools: { type: 'string', multiple: true },
    editor: { type: 'string' },
    sandbox: { type: 'string', short: 's' },
    'max-turns': { type: 'string' },
    'max-tokens': { type: 'string' },
    'max-cost': { type: 'string' },
    'fake-responses': { type: 'string' },
  });
  if (values.prompt === undefined) expectNoMore('prompt', positionals);
  const format = readChoice('--output-format', values['output-format'], OUTPUT_FORMATS) ?? 'text';
  const interactive = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const approvals =
    readChoice('--approvals', values.approvals, APPROVAL_CHANNELS) ?? (interactive ? 'terminal' : 'deny');
  if (approvals === 'terminal' && !interactive)
    throw usage('There is no terminal to ask in', '--approvals stdio | wait | deny');
  if (approvals === 'stdio' && format !== 'stream-json')
    throw usage(
      'Questions over stdio are lines of JSON',
      '--approvals stdio with --output-format stream-json',
    );
  if (approvals === 'wait' && values.store === ':memory:')
    throw usage(
      'Nobody else can see a session that is kept in memory',
      '--approvals wait with another --store',
    );
  const mode = values.mode ?? values['approval-mode'];
  if (values.yolo && mode) throw usage('--yolo is a mode already', '--yolo or --mode, not both');
  if ([values.continue, values.resume, values.session].filter(Boolean).length > 1)
    throw usage('Only one of -c, --resume and --session can say which session', 'one of them');
  if (values.session !== undefined && !isSessionId(values.session))
    throw usage(
      `"${values.session}" can not be the id of a session`,
      '--session with letters, digits, ".", "_" and "-"',
    );
  return {
    prompt: [values.prompt, ...positionals].filter((text) => text !== undefined).join(' '),
    model: values.model,
    format,
    approvals,
    continueLast: values.continue ?? false,
    resume: values.resume,
    sessionId: values.session,
    workspace: values.workspace ?? io.cwd,
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
      approvalMode: values.yolo ? ('yolo' as const) : readMode(mode),
      editor: readChoice('--editor', values.editor, EDITORS),
      sandbox: readChoice('--sandbox', values.sandbox, ['off', 'on', 'required'] as const),
    },
  };
}

export function limit(
  name: string,
  option: string,
  given: string | undefined,
  numbers: 'whole' | 'any',
): { readonly [name: string]: number } {
  if (given === undefined) return {};
  const value = Number(given);
  if (Number.isFinite(value) && value > 0 && (numbers === 'any' || Number.isInteger(value)))
    return { [name]: value };
  const wanted = numbers === 'whole' ? 'a whole number' : 'a number';
  throw usage(`"${given}" is not a value of ${option}`, `${option} with ${wanted} above 0`);
}
