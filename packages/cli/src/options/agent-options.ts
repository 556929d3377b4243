import { EDITORS } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { readChoice, type readOptions } from './options.js';
import { workspaceRequest } from './places.js';
import { readSessionId } from './session-id.js';
import { readSessionOptions, SESSION_OPTIONS } from './session-options.js';

export const LIMIT_OPTIONS = {
  'max-turns': { type: 'string' },
  'max-tokens': { type: 'string' },
  'max-cost': { type: 'string' },
} as const;

/** The options of work with a model, with a screen and without. */
export const AGENT_OPTIONS = {
  model: { type: 'string', short: 'm' },
  'approval-mode': { type: 'string' },
  yolo: { type: 'boolean', short: 'y' },
  continue: { type: 'boolean', short: 'c' },
  resume: { type: 'string', short: 'r' },
  session: { type: 'string' },
  workspace: { type: 'string' },
  editor: { type: 'string' },
  ...SESSION_OPTIONS,
  sandbox: { type: 'string', short: 's' },
  ...LIMIT_OPTIONS,
  'fake-responses': { type: 'string' },
} as const;

type Given = ReturnType<typeof readOptions<typeof AGENT_OPTIONS>>['values'];

export function readAgentOptions(given: Given, io: Io) {
  const mode = given.mode ?? given['approval-mode'];
  if (given.yolo && mode) throw usage('--yolo already sets the mode', '--yolo or --mode, not both');
  if ([given.continue, given.resume, given.session].filter(Boolean).length > 1)
    throw usage('Only one of -c, --resume and --session can be given', 'one of them');
  const { flags, ...session } = readSessionOptions(mode === undefined ? given : { ...given, mode });
  return {
    ...session,
    model: given.model,
    continueLast: given.continue ?? false,
    resume: given.resume,
    sessionId: readSessionId(given.session),
    workspace: workspaceRequest(given.workspace, io),
    limits: readLimits(given),
    /** Recorded responses that replace a model, for tests and demonstrations. */
    fakeResponses: given['fake-responses'],
    flags: {
      ...flags,
      ...(given.yolo && { approvalMode: 'yolo' as const }),
      editor: readChoice('--editor', given.editor, EDITORS),
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
