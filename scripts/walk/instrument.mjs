// A loader for Node: every function in our built files reports that it was entered, before its first statement.
// Loaded by record.mjs; the checkout that is recorded is named by WALK_ROOT.
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseText, visit } from '../source/syntax.mjs';

const root = process.env['WALK_ROOT'] ?? '';
const packages = pathToFileURL(`${root}/packages/`).href;

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.startsWith(packages) || loaded.format !== 'module' || !url.includes('/dist/')) return loaded;
  const file = relative(root, fileURLToPath(url)).replace('/dist/', '/src/').replace(/\.js$/, '');
  return { ...loaded, source: instrumented(String(loaded.source), file) };
}

/**
 * @param {string} text
 * @param {string} file as it is reported
 */
export function instrumented(text, file) {
  /** @type {{ at: number, insert: string }[]} */
  const changes = [];
  let count = 0;
  visit(parseText(text, 'js'), (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    const body = /** @type {import('../source/syntax.mjs').Node} */ (node.body);
    const report = `globalThis.walkEntered(${JSON.stringify(`${file}#${count++}`)})`;
    if (body.type === 'BlockStatement') changes.push({ at: body.start + 1, insert: `${report};` });
    else changes.push({ at: body.start, insert: `(${report},` }, { at: body.end, insert: ')' });
  });
  let result = '';
  let done = 0;
  // Of two insertions at one place the later found is the inner one.
  for (const { at, insert } of changes.sort((a, b) => a.at - b.at)) {
    result += text.slice(done, at) + insert;
    done = at;
  }
  return result + text.slice(done);
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
