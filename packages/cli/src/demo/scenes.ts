import { isJsonObject } from '@countersign/host';
import type { ModelRequest, ScriptedAnswer, ScriptedStep } from '@countersign/models';
import type { JsonObject } from '@countersign/protocol';

/** One response of the model, and what it demonstrates. */
export type Scene = { readonly shows: string; readonly answer: ScriptedAnswer };

export const PROMPT = 'Put our name into the poem, and throw the drafts away.';

export const POEM = 'poem.txt';
export const DRAFT = 'drafts/old.txt';
export const LINE_BEFORE = 'A log is finer.';
const LINE_AFTER = 'A countersigned log is finer.';
/** Short pauses make the live output visible. */
const PROOFREADING = `for pass in 1 2 3; do echo "proofreading, pass $pass"; sleep 0.3; done; wc -w ${POEM}`;

/** The next text of the model follows from the results of its calls. */
export const SCENES: readonly Scene[] = [
  {
    shows: 'Two reads and a search. Rules allow them; they run in parallel.',
    answer: [
      { text: 'I look around first.' },
      { call: 'read_file', args: { file_path: POEM } },
      { call: 'read_file', args: { file_path: DRAFT } },
      { call: 'grep_search', args: { pattern: 'log' } },
    ],
  },
  {
    shows: 'A command. A rule denies rm anywhere in a command line.',
    answer: [
      { text: 'The draft is old. I delete it.' },
      { call: 'run_shell_command', args: { command: 'cd drafts && timeout 5 /bin/rm old.txt' } },
    ],
  },
  {
    shows: 'An edit. It waits until a person has approved exactly this change.',
    answer: (request) => [
      { text: isRefused(request) ? 'Then the draft stays. Now the poem.' : 'Deleted. Now the poem.' },
      { call: 'replace', args: { file_path: POEM, old_string: LINE_BEFORE, new_string: LINE_AFTER } },
    ],
  },
  {
    shows: 'A command and two reads. They run in parallel, with live output.',
    answer: (request) => [
      { text: isRefused(request) ? 'Then the poem stays as it is. I check it.' : 'Written. I check it.' },
      { call: 'run_shell_command', args: { command: PROOFREADING } },
      { call: 'read_file', args: { file_path: POEM } },
      { call: 'grep_search', args: { pattern: 'countersigned' } },
    ],
  },
  {
    shows: 'The end. The model has what it needs and stops.',
    answer: (request) => [{ text: `The poem ends with “${lastLineOf(responsesIn(request)[1])}”` }],
  },
];

/** Time to read a scene before the next begins. */
export const PAUSE_MS = 600;

/** The scenes, one for each request. */
export const scriptWithPauses = (pauseMs: number): readonly ScriptedAnswer[] =>
  SCENES.map(({ answer }) => async (request) => [
    { delayMs: pauseMs },
    ...(typeof answer === 'function' ? await answer(request) : answer),
  ]);

/**
 * The same for a conversation that outlives a process: the number of responses
 * in the conversation selects the scene.
 */
export const sceneByScene = async (request: ModelRequest): Promise<readonly ScriptedStep[]> => {
  const answered = request.contents.filter(({ role }) => role === 'model').length;
  const answer = scriptWithPauses(PAUSE_MS)[answered] ?? OVER;
  return typeof answer === 'function' ? answer(request) : answer;
};

const OVER: readonly ScriptedStep[] = [
  { text: 'The demonstration is over. Start a session of your own to use a real model.' },
];

const isRefused = (request: ModelRequest): boolean =>
  responsesIn(request).some((response) => 'error' in response);

const lastLineOf = (response: JsonObject | undefined): string =>
  typeof response?.['output'] === 'string' ? (response['output'].trimEnd().split('\n').at(-1) ?? '') : '…';

/** The latest results of calls that the model received, in request order. */
const responsesIn = ({ contents }: ModelRequest): readonly JsonObject[] =>
  (contents.at(-1)?.parts ?? []).flatMap(({ functionResponse }) => {
    const response = isJsonObject(functionResponse) ? functionResponse['response'] : undefined;
    return isJsonObject(response) ? [response] : [];
  });
