const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Writes what is beyond ASCII as escapes, since a file of nothing but ASCII is
 * read in a fraction of the time (600 KB: 0.6 ms instead of 4.5). esbuild has
 * done so in strings and names; what is left stands in regular expressions and
 * comments.
 * @param {string} code
 * @returns {Promise<string>}
 */
export async function inAscii(code) {
  if (!BEYOND_ASCII.test(code)) return code;
  const { parseText, visit } = await import('../source/syntax.mjs');
  visit(parseText(code, 'js'), ({ type, start, end }) => {
    // `String.raw` would see the escape instead of the character.
    if (type === 'TaggedTemplateExpression' && BEYOND_ASCII.test(code.slice(start, end)))
      throw new Error(`A tagged template has to be written in ASCII: ${code.slice(start, end)}`);
  });
  return code.replaceAll(
    new RegExp(BEYOND_ASCII, 'g'),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
