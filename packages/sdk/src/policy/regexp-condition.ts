import { type Translation, translateArgsPattern } from '@countersign/engine';
import {
  type ArgsCondition,
  COMMAND_TOOL,
  type CommandCondition,
  matchesGlob,
  type Pattern,
  type Rule,
} from '@countersign/kernel';

type Conditions = Pick<Rule, 'args' | 'command'>;
export type RegExpConditions =
  | { readonly ok: true; readonly each: readonly Conditions[] }
  | { readonly ok: false; readonly problem: string };

/**
 * A condition that a program gives as a regular expression of JavaScript. It is
 * the program's own code, so that it may be as slow as it likes; what it is held
 * against is the same as for rules of files: one typed argument where it names
 * one, and the text of all of them only to deny or ask.
 */
export function conditionsOf(
  given: RegExp,
  { decision, tools }: Pick<Rule, 'decision' | 'tools'>,
): RegExpConditions {
  const translation = translateArgsPattern(given.source);
  const allows = decision === 'allow';
  if (translation.type === 'untied') {
    if (!allows)
      return {
        ok: true,
        each: [{ args: { type: 'json', pattern: patternOf(given.source, given) }, command: null }],
      };
    const problem = `argsPattern cannot be tied to one argument: ${translation.why}. A rule that allows must name the argument, as in /"file_path":"src\\//`;
    return { ok: false, problem };
  }
  const onArgument: Conditions = { args: argumentCondition(translation, given, allows), command: null };
  const isAboutCommands =
    translation.key === 'command' && tools.some((tool) => matchesGlob(tool, COMMAND_TOOL));
  if (!isAboutCommands) return { ok: true, each: [onArgument] };
  // What one line may run is many commands: each is held against the pattern by itself.
  const onEachCommand: Conditions = {
    args: null,
    command: commandCondition(translation.rest, given, allows),
  };
  const only = tools.every((tool) => tool === COMMAND_TOOL);
  return { ok: true, each: allows && only ? [onEachCommand] : [onArgument, onEachCommand] };
}

/** On the value as JSON spells it, up to its closing quote; what forbids also on the value itself. */
function argumentCondition(
  { key, rest, ends }: Extract<Translation, { type: 'argument' }>,
  given: RegExp,
  allows: boolean,
): ArgsCondition {
  const isClosed = ends === 'closed';
  const whole = patternOf(`^(?:${isClosed ? `${rest}"` : rest})${allows && isClosed ? '$' : ''}`, given);
  const test = (value: string) =>
    whole.test(JSON.stringify(value).slice(1)) || (!allows && whole.test(`${value}"`));
  return { type: 'argument', key, pattern: { source: whole.source, test } };
}

const commandCondition = (rest: string, given: RegExp, allows: boolean): CommandCondition => ({
  type: 'regex',
  pattern: patternOf(`^(?:${rest})${allows ? '$' : ''}`, given),
});

/** A global or sticky expression remembers where it left off, and one of many lines begins at each of them. */
function patternOf(source: string, { flags }: RegExp): Pattern {
  const compiled = new RegExp(source, flags.replace(/[gym]/g, ''));
  return { source, test: (text) => compiled.test(text) };
}
