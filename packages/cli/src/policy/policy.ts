import type { ExitCode } from '../io/exit-codes.js';
import type { Io } from '../io/io.js';
import { readOptions } from '../options/options.js';
import { runSubcommand } from '../options/subcommand.js';
import { JUDGING_OPTIONS, judgeEach } from './judge-each.js';
import { explainPast } from './past-call.js';
import { replay } from './replay.js';
import { testRules } from './test-rules.js';
import { storyText, verdictText } from './verdict-text.js';

/** `countersign policy check | explain | test | replay`: what the rules decide, and why, without running anything. */
export const policy = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runSubcommand('policy', { check, explain, test: testRules, replay }, args, io);

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
  });
  if (values.call !== undefined) return explainPast({ ...values, call: values.call }, positionals, io);
  return judgeEach(values, positionals, io, {
    judge: (judge, call) => judge.explain(call),
    inWords: storyText,
  });
}
