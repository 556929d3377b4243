/** How a line is indented in a text that was sent, and in the file. */
export type IndentPair = { readonly sent: string; readonly inFile: string };

export const indentOf = (line: string): string => /^[^\S\n]*/u.exec(line)?.[0] ?? '';

/** The least indentation by blanks of any of these lines; none if there is no such line. */
export const leastBlanks = (lines: readonly string[]): string =>
  lines.map(indentOf).reduce((least, indent) => {
    if (!/^ +$/u.test(indent)) return least;
    return least === '' || indent.length < least.length ? indent : least;
  }, '');

/**
 * Indentation as the file has it, for a line that is not in the file yet. Lines
 * that are in both show what corresponds to what, the first of them where they
 * disagree. What a line has beyond them is counted in steps of the text that was
 * sent and put down in steps of the file. `leastSent`: see `leastBlanks`.
 */
export function toFileIndent(pairs: readonly IndentPair[], leastSent: string): (indent: string) => string {
  const known = new Map<string, string>();
  for (const { sent, inFile } of pairs) if (!known.has(sent)) known.set(sent, inFile);
  const inOrder = [...known].sort(([a], [b]) => a.length - b.length);
  const step = stepOf(inOrder, leastSent);

  const converted = (indent: string): string => {
    if (step === null || indent.length % step.sent.length !== 0) return indent;
    const count = indent.length / step.sent.length;
    return indent === step.sent.repeat(count) ? step.inFile.repeat(count) : indent;
  };

  return (indent: string): string => {
    const same = known.get(indent);
    if (same !== undefined) return same;
    const outer = inOrder.findLast(([sent]) => indent.startsWith(sent));
    if (outer) return outer[1] + converted(indent.slice(outer[0].length));
    const inner = inOrder.find(([sent]) => sent.startsWith(indent));
    if (!inner) return indent;
    const deeper = converted(inner[0].slice(indent.length));
    return inner[1].slice(0, Math.max(0, inner[1].length - deeper.length));
  };
}

function stepOf(
  known: readonly (readonly [sent: string, inFile: string])[],
  leastSent: string,
): IndentPair | null {
  for (const [index, [sent, inFile]] of known.entries()) {
    const before = known[index - 1];
    if (!before || !sent.startsWith(before[0]) || !inFile.startsWith(before[1])) continue;
    if (inFile.length > before[1].length)
      return { sent: sent.slice(before[0].length), inFile: inFile.slice(before[1].length) };
  }
  const deepest = known.at(-1);
  return deepest ? guessedStep({ sent: deepest[0], inFile: deepest[1] }, leastSent) : null;
}

/** One known line does not determine the step, except where one side has tabs and the other blanks. */
function guessedStep({ sent, inFile }: IndentPair, leastSent: string): IndentPair | null {
  if (/^ +$/u.test(sent) && /^\t+$/u.test(inFile)) return evenly(sent, inFile);
  if (/^\t+$/u.test(sent) && /^ +$/u.test(inFile)) {
    const step = evenly(inFile, sent);
    return step && { sent: step.inFile, inFile: step.sent };
  }
  return sent === '' && leastSent !== '' && /^\t+$/u.test(inFile) ? { sent: leastSent, inFile: '\t' } : null;
}

const evenly = (blanks: string, tabs: string): IndentPair | null =>
  blanks.length % tabs.length === 0 ? { sent: ' '.repeat(blanks.length / tabs.length), inFile: '\t' } : null;
