/** A text as a shell takes it for one word: people copy what we print, and words with blanks are seen to be one. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
