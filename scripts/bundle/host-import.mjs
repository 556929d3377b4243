import { IMPORT_NAME } from '../../packages/cli/bin/program.js';

/**
 * Replaces each `import(…)` that is left in the bundle by a call of the
 * function that the loader passes in. The name is as long as the keyword, so
 * the source map stays true.
 * @param {string} bundle
 * @returns {Promise<string>}
 */
export async function importByHost(bundle) {
  // Reading a megabyte of source with a real parser is only worth it if there may be something to find.
  if (!/\bimport\s*\(/.test(bundle)) return bundle;
  const { parseText, visit } = await import('../source/syntax.mjs');

  let text = bundle;
  visit(parseText(bundle, 'js'), (node) => {
    if (node.type !== 'ImportExpression') return;
    text = text.slice(0, node.start) + IMPORT_NAME + text.slice(node.start + IMPORT_NAME.length);
  });
  return text;
}
