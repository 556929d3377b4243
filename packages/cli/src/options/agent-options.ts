import { EDITORS } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { readChoice, readMode, type readOptions, readSandbox, readStore } from './options.js';
import { workspaceRequest } from './places.js';
import { readSessionId } from './session-id.js';

/** What can be said of work with a model, with a screen and without. */
export const AGENT_OPTIONS = {
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
} as const;

type Given = ReturnType<typeof readOptions<typeof AGENT_OPTIONS>>['values'];

export function readAgentOptions(given: Given, io: Io) {
  const mode = given.mode ?? given['approval-mode'];
  if (given.yolo && mode) throw usage('--yolo already sets the mode', '--yolo or --mode, not both');
  if ([given.continue, given.resume, given.session].filter(Boolean).length > 1)
    throw usage('Only one of -c, --resume and --session can be given', 'one of them');
  return {
    model: given.model,
    continueLast: given.continue ?? false,
    resume: given.resume,
    sessionId: readSessionId(given.session),
    workspace: workspaceRequest(given.workspace, io),
    store: readStore(given.store),
    policyFiles: given.policy ?? [],
    toolModules: given.tools ?? [],
    limits: readLimits(given),
    /** Recorded answers in place of a model: for tests and demonstrations. */
    fakeResponses: given['fake-responses'],
    flags: {
      approvalMode: given.yolo ? ('yolo' as const) : readMode(mode),
      editor: readChoice('--editor', given.editor, EDITORS),
      sandbox: readSandbox(given.sandbox),
    },
  };
}

export const readLimits = (given: Pick<Given, 'max-turns' | 'max-tokens' | 'max-cost'>) => ({
  ...limit('turnsMax', '--max-turns', given['max-turns'], 'whole'),
  ...limit('tokensMax', '--max-tokens', given['max-tokens'], 'whole'),
  ...limit('dollarsMax', '--max-cost', given['max-cost'], 'any'),
});

function limit(
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
