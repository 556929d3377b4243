import { analyzeCommand } from './analyze-command.js';

/** The text of a rule as the shell would split it. What is not one plain command is split at blanks. */
export function splitRuleText(text: string): readonly string[] {
  const { problem, units } = analyzeCommand(text);
  const words = units[0]?.words.map((word) => word.text) ?? [];
  const fixed = words.filter((word) => word !== null);
  const isPlain =
    problem === null && units[0]?.span.end === text.trimEnd().length && fixed.length === words.length;
  return isPlain && fixed.length > 0 ? fixed : text.split(/\s+/).filter((word) => word !== '');
}
