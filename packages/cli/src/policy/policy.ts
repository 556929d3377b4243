import type { ExitCode } from '../io/exit-codes.js';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { readOptions } from '../options/options.js';
import { JUDGING_OPTIONS, judgeEach } from './judge-each.js';
import { explainPast } from './past-call.js';
import { replay } from './replay.js';
import { testRules } from './test-rules.js';
import { storyText, verdictText } from './verdict-text.js';

/** `countersign policy check | explain | test | replay`: what the rules say, and why, without running anything. */
export async function policy(args: readonly string[], io: Io): Promise<ExitCode> {
  const [verb, ...rest] = args;
  if (verb === 'check') return check(rest, io);
  if (verb === 'explain') return explain(rest, io);
  if (verb === 'test') return testRules(rest, io);
  if (verb === 'replay') return replay(rest, io);
  throw usage(
    verb ? `policy has no "${verb}"` : 'policy needs a subcommand',
    'countersign policy check | explain | test | replay',
  );
}

function check(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('policy', args, JUDGING_OPTIONS);
  return judgeEach(values, positionals, io, {
    judge: (judge, call) => judge.judge(call),
    inWords: verdictText,
  });
}

function explain(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('policy', args, {
    ...JUDGING_OPTIONS,
    call: { type: 'string' },
    store: { type: 'string' },
  });
  if (values.call !== undefined) return explainPast({ ...values, call: values.call }, positionals, io);
  return judgeEach(values, positionals, io, {
    judge: (judge, call) => judge.explain(call),
    inWords: storyText,
  });
}
