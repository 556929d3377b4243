import { EDITORS } from '@countersign/tools';
import { usage } from '../failure-text.js';
import { limit } from '../headless/headless-options.js';
import type { Io } from '../io.js';
import { expectNoMore, readChoice, readMode, readOptions, readStore } from '../options.js';
import { isSessionId } from '../session-id.js';

export type InteractiveOptions = ReturnType<typeof readInteractiveOptions>;

export function readInteractiveOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('terminal', args, {
    model: { type: 'string', short: 'm' },
    mode: { type: 'string' },
    'approval-mode': { type: 'string' },
    yolo: { type: 'boolean', short: 'y' },
    continue: { type: 'boolean', short: 'c' },
    resume: { type: 'string', short: 'r' },
    session: { type: 'string' },
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
    'screen-reader': { type: 'boolean' },
  });
  expectNoMore('terminal', positionals);
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
    model: values.model,
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
    fakeResponses: values['fake-responses'],
    /** Plain lines, nothing is drawn over. */
    isPlain:
      values['screen-reader'] ?? (PLAIN_BY.some((name) => isSet(io.env[name])) || io.env['TERM'] === 'dumb'),
    flags: {
      approvalMode: values.yolo ? ('yolo' as const) : readMode(mode),
      editor: readChoice('--editor', values.editor, EDITORS),
      sandbox: readChoice('--sandbox', values.sandbox, ['off', 'on', 'required'] as const),
    },
  };
}

/** A screen reader, or something that keeps what is printed: there, nothing must be drawn over. */
const PLAIN_BY = ['COUNTERSIGN_SCREEN_READER', 'CI'];

const isSet = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);
