import {
  type ArgsCondition,
  COMMAND_TOOL,
  type CommandCondition,
  matchesGlob,
  type Rule,
} from '@countersign/kernel';
import type { PolicyDecision } from '@countersign/protocol';
import { conditionOnArgument, type Translation, translateArgsPattern } from './args-pattern.js';
import { readArgumentTests } from './argument-tests.js';
import { compilePattern } from './pattern.js';
import type { CommandDraft, Problem, RuleDraft } from './read-rule.js';
import { tryExamples, wrongExample } from './rule-examples.js';
import { ruleWords } from './rule-words.js';

/** Something a reader of the policy should know about it. `warning`: it does not do what it looks like. */
export type Remark = { readonly severity: 'info' | 'warning'; readonly line: number; readonly text: string };

export type BuiltRule =
  | { readonly ok: true; readonly rules: readonly Rule[]; readonly remarks: readonly Remark[] }
  | { readonly ok: false; readonly problem: Problem };

export type Conditions = Pick<Rule, 'args' | 'command'>;

/**
 * Compile what a rule asks of arguments or commands, and hold its own examples against it. `given`: the conditions that
 * a program compiled itself, in the place of those of the draft.
 */
export async function buildRule(draft: RuleDraft, given?: readonly Conditions[]): Promise<BuiltRule> {
  const compiled = await compileRule(draft, given);
  if (!compiled.ok) return compiled;
  const problem = wrongExample(await tryExamples(compiled.rules, draft));
  return problem ? { ok: false, problem } : compiled;
}

export async function compileRule(draft: RuleDraft, given?: readonly Conditions[]): Promise<BuiltRule> {
  const conditions: Found = given ? { ok: true, each: given, remarks: [] } : await conditionsOf(draft);
  if (!conditions.ok) return conditions;
  const tests = draft.when === null ? null : await readArgumentTests(draft.when);
  if (tests?.ok === false)
    return { ok: false, problem: { line: draft.lineOf('when'), problem: tests.problem } };
  const meansLines = draft.rule.tools.some((tool) => matchesGlob(tool, COMMAND_TOOL));
  if (draft.rule.decision === 'allow' && meansLines && draft.when?.['command'] !== undefined)
    return { ok: false, problem: { line: draft.lineOf('when'), problem: ON_COMMAND } };
  const when = tests === null ? {} : { when: tests.tests };
  const { matches, notMatches } = draft;
  const examples = matches.length + notMatches.length > 0 ? { examples: { matches, notMatches } } : {};
  const rules = conditions.each.map((each): Rule => ({ ...draft.rule, ...each, ...when, ...examples }));
  return { ok: true, rules, remarks: conditions.remarks };
}

const ON_COMMAND =
  'when.command cannot allow a command line, which may hold many commands; use commandPrefix, commandExact or commandRegex';

type Found =
  | { readonly ok: true; readonly each: readonly Conditions[]; readonly remarks: readonly Remark[] }
  | { readonly ok: false; readonly problem: Problem };

async function conditionsOf(draft: RuleDraft): Promise<Found> {
  const { argsPattern, command } = draft;
  if (command !== null) {
    const built = await onCommands(command, draft.rule.decision);
    return built.ok
      ? { ok: true, each: [{ args: null, command: built.condition }], remarks: [] }
      : bad(draft, 'commandRegex', built.problem);
  }
  if (argsPattern === null) return { ok: true, each: [{ args: null, command: null }], remarks: [] };

  // The pattern as written must be one, whatever becomes of it.
  const whole = await compilePattern(argsPattern);
  if (!whole.ok) return bad(draft, 'argsPattern', whole.problem);
  const translation = translateArgsPattern(argsPattern);
  if (translation.type === 'untied')
    return onAllArguments(draft, { type: 'json', pattern: whole.pattern }, translation.why);
  return onOneArgument(draft, translation);
}

function onAllArguments(draft: RuleDraft, args: ArgsCondition, why: string): Found {
  const line = draft.lineOf('argsPattern');
  if (draft.rule.decision === 'allow') {
    const problem = `argsPattern cannot be tied to one argument: ${why}. A rule that allows must name the argument, as in "file_path":"src/`;
    return { ok: false, problem: { line, problem } };
  }
  const text = `argsPattern is matched on the text of all arguments, because ${why}.`;
  return { ok: true, each: [{ args, command: null }], remarks: [{ severity: 'info', line, text }] };
}

async function onOneArgument(
  draft: RuleDraft,
  translation: Extract<Translation, { type: 'argument' }>,
): Promise<Found> {
  const { tools, decision } = draft.rule;
  const line = draft.lineOf('argsPattern');
  const built = await conditionOnArgument(translation, decision);
  if (!built.ok) return bad(draft, 'argsPattern', built.problem);
  const onArgument: Conditions = { args: built.condition, command: null };
  const meansCommands =
    translation.key === 'command' && tools.some((tool) => matchesGlob(tool, COMMAND_TOOL));
  if (!meansCommands) {
    const text = `argsPattern is matched on the argument ${translation.key} alone, from its start; nested arguments of that name are ignored.`;
    return { ok: true, each: [onArgument], remarks: [{ severity: 'info', line, text }] };
  }

  // What one line may run is many commands: each is matched against the pattern separately.
  const command = await onCommands({ type: 'regex', source: translation.rest }, decision);
  if (!command.ok) return bad(draft, 'argsPattern', command.problem);
  const onEachCommand: Conditions = { args: null, command: command.condition };
  const only = tools.every((tool) => tool === COMMAND_TOOL);
  const each = decision === 'allow' && only ? [onEachCommand] : [onArgument, onEachCommand];
  const text =
    decision === 'allow'
      ? 'argsPattern is matched like commandRegex: on each whole command of the line.'
      : 'argsPattern is matched on the beginning of the line and, like commandRegex, of each command in it.';
  return { ok: true, each, remarks: [{ severity: 'info', line, text }] };
}

async function onCommands(
  command: CommandDraft,
  decision: PolicyDecision,
): Promise<
  | { readonly ok: true; readonly condition: CommandCondition }
  | { readonly ok: false; readonly problem: string }
> {
  if (command.type !== 'regex') {
    return { ok: true, condition: { type: command.type, words: await ruleWords(command.texts) } };
  }
  if (decision === 'allow' && REPEATED_REPETITION.test(command.source))
    return {
      ok: false,
      problem: 'it nests repetitions, as in (a+)+; use one repetition',
    };
  const end = decision === 'allow' ? String.raw`\z` : '';
  // Compiled alone first: a bracket too many must not close the one put around it.
  const alone = await compilePattern(command.source);
  const compiled = alone.ok ? await compilePattern(String.raw`\A(?:${command.source})${end}`) : alone;
  return compiled.ok ? { ok: true, condition: { type: 'regex', pattern: compiled.pattern } } : compiled;
}

/**
 * The written meaning of rules (SEMANTICS 1.1) refuses what takes other engines forever, so that it allows the same
 * everywhere: nothing. Ours matches it in linear time, and a rule that forbids is better matched than refused.
 */
const REPEATED_REPETITION = /\((?:\?:)?(\\.|\[[^\]]+\]|[^\\()[\]|*+?])[*+](?:\1[*+])*\)(?:[*+]|\{\d+,)/;

const bad = (draft: RuleDraft, key: 'argsPattern' | 'commandRegex', problem: string): Found => ({
  ok: false,
  problem: { line: draft.lineOf(key), problem: `${key} is not a usable regular expression: ${problem}` },
});
