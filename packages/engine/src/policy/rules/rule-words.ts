/** Nothing in it means anything to a shell but the blanks. */
const PLAIN = /^[\w@%+=:,./ -]+$/;

/** The words of a rule about commands, as the shell would split them. */
export async function ruleWords(texts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const plain = texts.map(plainWords);
  const known = plain.filter((words) => words !== null);
  if (known.length === texts.length) return known;
  // The grammar is loaded only for a rule that needs it.
  const { splitRuleText } = await import('@countersign/commands');
  return texts.map(splitRuleText);
}

/** null where a shell might split it otherwise than at blanks. */
export const plainWords = (text: string): readonly string[] | null =>
  PLAIN.test(text) ? text.split(' ').filter((word) => word !== '') : null;
