import { CHANNEL_NAMES, CHANNELS } from '@countersign/channels';
import type { Journal } from '@countersign/engine';
import { explain, type Failure, type Json } from '@countersign/protocol';
import { withStore } from '../compose/known-store.js';
import { originsOf, RULE_OPTIONS } from '../compose/rule-options.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, failureText, messageHandlers, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { type Framed, jsonValues } from '../io/json-lines.js';
import { readChoice, type readOptions } from '../options/options.js';
import { chosenWorkspace, realWorkspace, workspaceRequest } from '../options/places.js';
import { readSessionOptions, SESSION_OPTIONS } from '../options/session-options.js';
import type { CallJudge, GrantsRead, Judged, Outcome } from './call-judge.js';
import { type ComposedJudge, composeJudge, grantsFor, placeOf } from './compose-judge.js';
import { type AskedCall, callFromWords, readCall } from './read-call.js';

export const JUDGING_OPTIONS = {
  json: { type: 'boolean' },
  ...RULE_OPTIONS,
  ...SESSION_OPTIONS,
  yolo: { type: 'boolean' },
  workspace: { type: 'string' },
  approvals: { type: 'string' },
  session: { type: 'string' },
  connect: { type: 'boolean' },
} as const;

export type JudgingOptions = ReturnType<typeof readOptions<typeof JUDGING_OPTIONS>>['values'];

/** How to evaluate a call and how to print the result, without control characters. */
export type Judging<T extends Judged> = {
  readonly judge: (judge: CallJudge, call: AskedCall) => Promise<Outcome<T>>;
  readonly inWords: (judged: T, call: AskedCall) => string;
};

/** Evaluates calls given as arguments or as JSON on standard input, and prints each result in order. */
export async function judgeEach<T extends Judged>(
  options: JudgingOptions,
  words: readonly string[],
  io: Io,
  judging: Judging<T>,
): Promise<ExitCode> {
  if (words.length === 0 && io.stdin.isTTY)
    throw usage('No call was given', `countersign policy check 'git push'`);
  const approvals = readChoice('--approvals', options.approvals, CHANNEL_NAMES);
  const attended = approvals === undefined || CHANNELS[approvals].attended === 'somebody';
  const { judge, close } = await judgeFor(options, io);
  try {
    return await answerEach(
      words.length > 0 ? [given(words)] : jsonValues(io.stdin),
      (framed) => answerTo(framed, attended, judge, judging),
      { options, inWords: judging.inWords },
      io,
    );
  } finally {
    await close();
  }
}

async function answerEach<T extends Judged>(
  calls: AsyncIterable<Framed> | Iterable<Framed>,
  answerTo: (framed: Framed) => Promise<Answer<T>>,
  { options, inWords }: { readonly options: JudgingOptions } & Pick<Judging<T>, 'inWords'>,
  io: Io,
): Promise<ExitCode> {
  let allUnderstood = true;
  for await (const framed of calls) {
    const answer = await answerTo(framed);
    if (answer.ok) {
      if (options.json) printJson(io, answer.value);
      else io.stdout.write(`${inWords(answer.value, answer.call)}\n`);
      continue;
    }
    allUnderstood = false;
    const { id, failure } = answer;
    const { message, hint } = explain(failure);
    const withId = id === undefined ? {} : { id };
    if (options.json) printJson(io, { ...withId, error: { type: failure.code, message, hint } });
    else say(io, `countersign: ${failureText(failure)}`);
  }
  return allUnderstood ? EXIT.ok : EXIT.usage;
}

/** With the flags of exec: what it would load, and a session's own mode and grants with --session. */
async function judgeFor(options: JudgingOptions, io: Io): Promise<ComposedJudge> {
  if (options.yolo && options.mode) throw usage('--yolo already sets the mode', '--yolo or --mode, not both');
  const { flags, store, toolModules } = readSessionOptions(options);
  const given = options.yolo ? 'yolo' : flags.approvalMode;
  const found = await lookInStore(options, io);
  const { workspace, sessionId, grants } = found;
  const origins = await originsOf(options, io, workspace, undefined, { ...flags, approvalMode: given });
  return composeJudge({
    ...{ origins, workspace, store, toolModules, sessionId, grants, env: io.env },
    mode: given ?? found.mode ?? origins.settings.get('approvalMode').value,
    servers: options.connect ? 'started if needed' : 'not started',
    onMessage: messageHandlers(io).onMessage,
  });
}

/** The session if one is named, and the grants. A store that cannot be read leaves only the grants unknown. */
async function lookInStore({ store, session, workspace: named }: JudgingOptions, io: Io) {
  const here = async () => chosenWorkspace(workspaceRequest(named, io));
  const look = async (journal: Journal | null) => {
    if (session === undefined) {
      const workspace = await here();
      const grants = await grantsFor(journal, null, workspace);
      return { workspace, mode: null, sessionId: null, grants };
    }
    const place = journal ? await placeOf(journal, session) : null;
    if (!place) throw new CommandFailure({ code: 'unknown_session', sessionId: session });
    const workspace = await realWorkspace(place.workspace);
    return { ...place, workspace, sessionId: session, grants: await grantsFor(journal, session, workspace) };
  };
  try {
    return await withStore(store, io, 'read', look);
  } catch (thrown) {
    const isUnread = thrown instanceof CommandFailure && thrown.failure.code === 'journal_unavailable';
    if (session !== undefined || !isUnread) throw thrown;
    const grants: GrantsRead = { ok: false, failure: thrown.failure };
    return { workspace: await here(), mode: null, sessionId: null, grants };
  }
}

type Answer<T> =
  | { readonly ok: true; readonly call: AskedCall; readonly value: T }
  | { readonly ok: false; readonly id?: Json; readonly failure: Failure };

async function answerTo<T extends Judged>(
  framed: Framed,
  attended: boolean,
  judge: CallJudge,
  judging: Judging<T>,
): Promise<Answer<T>> {
  const refused = (problem: string, id?: Json): Answer<T> => ({
    ok: false,
    ...(id !== undefined && { id }),
    failure: { code: 'invalid_request', problem },
  });
  if (!framed.ok) return refused(`input line ${framed.line}: ${framed.problem}`);
  const read = readCall(framed.value, attended);
  if (!read.ok) return refused(read.problem, read.id);
  const { call } = read;
  try {
    const outcome = await judging.judge(judge, call);
    return outcome.ok ? { ok: true, call, value: outcome.value } : refused(outcome.problem, call.id);
  } catch (thrown) {
    // Deep nesting exhausts the stack of a recursive walk; one such line must not affect the others.
    if (thrown instanceof RangeError) return refused('it is nested too deeply', call.id);
    throw thrown;
  }
}

const given = (words: readonly string[]): Framed => ({ ok: true, line: 1, value: callFromWords(words) });
