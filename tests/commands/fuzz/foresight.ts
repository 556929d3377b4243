import type { CommandAnalysis, CommandWord } from '@countersign/protocol';

/** What bash was seen to do with a line. */
export type Observed = {
  /** The words that each program was given, its name first. */
  readonly runs: readonly (readonly string[])[];
  /** Files that were not there before. */
  readonly written: readonly string[];
};

/**
 * What an analysis states that it cannot know; then the line is asked about, and bash
 * may do anything. null: it claims to know every program and every file.
 */
export function leftOpen({
  invalid,
  problem,
  hiddenCharacters,
  evaluations,
  units,
}: CommandAnalysis): string | null {
  if (invalid !== null || problem !== null) return 'not parsed';
  if (hiddenCharacters.length > 0) return 'hidden characters';
  if (units.some(({ role }) => role.type === 'opaque')) return 'opaque';
  if (evaluations.length > 0) return 'evaluated again';
  const concerns = units.flatMap((unit) => unit.concerns);
  if (concerns.some(({ type }) => type === 'code')) return 'code from elsewhere';
  return concerns.some(({ type }) => type === 'escape') ? 'escape' : null;
}

/** What bash did and the analysis did not foresee; null if there is nothing. */
export function missed(analysis: CommandAnalysis, { runs, written }: Observed, home: string): string | null {
  if (leftOpen(analysis) !== null) return null;
  const { units } = analysis;
  const run = runs.find((words) => !units.some((unit) => fits(unit.words, words, home)));
  if (run !== undefined) return `ran ${JSON.stringify(run)}`;
  const targets = units.flatMap(({ redirects }) =>
    redirects.flatMap(({ effect, target }) => (effect === 'writes' && target !== null ? [target] : [])),
  );
  // It makes the file that it locks.
  for (const { program, words } of units) if (program === 'flock') targets.push(...words);
  const file = written.find((name) => !targets.some((target) => fits([target], [name], home)));
  return file === undefined ? null : `wrote ${JSON.stringify(file)}`;
}

/** Whether the words of a unit can become these: all that is claimed of a word must hold. */
function fits(words: readonly CommandWord[], given: readonly string[], home: string): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return given.length === 0;
  const [first, ...others] = given;
  if (word.count === 'any' && fits(rest, given, home)) return true;
  if (first === undefined || !isWord(word, first, home)) return false;
  return fits(word.count === 'any' ? words : rest, others, home);
}

function isWord({ text, leading }: CommandWord, given: string, home: string): boolean {
  const claims = (claimed: string) => (text === null ? given.startsWith(claimed) : given === claimed);
  const claimed = text ?? leading;
  // A home folder is kept as it is written.
  return claims(claimed) || claims(claimed.replace(/(^|[=:])~(?=\/|$)/g, `$1${home}`));
}
