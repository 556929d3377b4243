import { Toolbox } from '@countersign/engine';
import { classifierFor } from '@countersign/host';
import { explain, type Failure, type Json } from '@countersign/protocol';
import { builtInTools } from '@countersign/tools';
import { ownThings, policyFor } from '../compose/compose.js';
import { registerDiscovered } from '../compose/discovered-tools.js';
import { originsOf, RULE_OPTIONS, type RuleOptions } from '../compose/rule-options.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { failureText, usage } from '../io/failure-text.js';
import { type Io, printJson, say } from '../io/io.js';
import { type Framed, jsonValues } from '../io/json-lines.js';
import { readMode } from '../options/options.js';
import { chosenWorkspace, workspaceRequest } from '../options/places.js';
import { CallJudge, type Judged, type Outcome } from './call-judge.js';
import { type AskedCall, callFromWords, readCall } from './read-call.js';

export const JUDGING_OPTIONS = {
  json: { type: 'boolean' },
  ...RULE_OPTIONS,
  mode: { type: 'string' },
  workspace: { type: 'string' },
} as const;

export type JudgingOptions = RuleOptions & {
  readonly json?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly workspace?: string | undefined;
};

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
  const judge = await judgeFor(options, io);
  let allUnderstood = true;
  for await (const framed of words.length > 0 ? [given(words)] : jsonValues(io.stdin)) {
    const answer = await answerTo(framed, judge, judging);
    if (answer.ok) {
      if (options.json) printJson(io, answer.value);
      else io.stdout.write(`${judging.inWords(answer.value, answer.call)}\n`);
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

async function judgeFor(options: JudgingOptions, io: Io): Promise<CallJudge> {
  const workspace = await chosenWorkspace(workspaceRequest(options.workspace, io));
  const origins = await originsOf(options, io, workspace);
  // A required sandbox need not be available, since nothing runs.
  const sandbox = origins.settings.get('sandbox').value === 'off' ? 'off' : 'on';
  const own = ownThings(origins.settings, { store: undefined, env: io.env });
  const tools = new Toolbox(builtInTools({ sandbox, ...own }));
  await registerDiscovered(tools, { ...origins, workspace });
  const mode = readMode(options.mode) ?? origins.settings.get('approvalMode').value;
  const policy = await policyFor(origins, tools);
  const shipped = options['no-defaults'] ? 'none' : 'all';
  return new CallJudge({ tools, policy, workspace, mode, shipped, classify: classifierFor(own) });
}

type Answer<T> =
  | { readonly ok: true; readonly call: AskedCall; readonly value: T }
  | { readonly ok: false; readonly id?: Json; readonly failure: Failure };

async function answerTo<T extends Judged>(
  framed: Framed,
  judge: CallJudge,
  judging: Judging<T>,
): Promise<Answer<T>> {
  const refused = (problem: string, id?: Json): Answer<T> => ({
    ok: false,
    ...(id !== undefined && { id }),
    failure: { code: 'invalid_request', problem },
  });
  if (!framed.ok) return refused(`input line ${framed.line}: ${framed.problem}`);
  const read = readCall(framed.value);
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
