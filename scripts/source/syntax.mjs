import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// The parser that comes with the bundler of the page: it knows TypeScript, and TypeScript 7 itself offers none yet.
import { parseAst } from 'vite';
import { root } from './files.mjs';

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} Node
 * @typedef {{ specifier: string, kind: 'type' | 'value', names: readonly string[] }} Import
 */

/** @returns {Node} */
export function parseFile(/** @type {string} */ path) {
  const text = readFileSync(join(root, path), 'utf8');
  try {
    return parseText(text, languageOf(path));
  } catch (error) {
    throw new Error(`${path} cannot be parsed`, { cause: error });
  }
}

/** @returns {'ts' | 'tsx' | 'js'} */
const languageOf = (/** @type {string} */ path) =>
  path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js';

/**
 * @param {string} text
 * @param {'ts' | 'tsx' | 'js'} lang
 * @returns {Node}
 */
export function parseText(text, lang) {
  const program = /** @type {unknown} */ (parseAst(text, { lang }));
  if (!isNode(program)) throw new Error('The parser returned something other than a syntax tree');
  return program;
}

/** Calls back for a node and everything below it. */
export function visit(/** @type {Node} */ node, /** @type {(node: Node) => void} */ enter) {
  enter(node);
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (isNode(child)) visit(child, enter);
    }
  }
}

/**
 * What a file imports or re-exports, `import()` and `import('…')` types included.
 * @param {Node} program
 * @returns {Import[]}
 */
export function importsIn(program) {
  /** @type {Import[]} */
  const found = [];
  visit(program, (node) => {
    const specifier = textOf(node.source);
    if (specifier === null) return;
    switch (node.type) {
      case 'ImportExpression':
        found.push({ specifier, kind: 'value', names: ['*'] });
        break;
      case 'TSImportType':
        found.push({ specifier, kind: 'type', names: ['*'] });
        break;
      case 'ExportAllDeclaration':
        found.push({ specifier, kind: node.exportKind === 'type' ? 'type' : 'value', names: ['*'] });
        break;
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
        found.push(...bySpecifiers(node, specifier));
        break;
    }
  });
  return found;
}

/** One statement may name both types and values; each counts as what it is. */
function bySpecifiers(/** @type {Node} */ node, /** @type {string} */ specifier) {
  const members = /** @type {Node[]} */ (node.specifiers).filter(isNode);
  const isType = (/** @type {Node} */ member) =>
    [node.importKind, node.exportKind, member.importKind, member.exportKind].includes('type');
  /** @type {Import[]} */
  const found = [];
  const types = members.filter(isType);
  const values = members.filter((member) => !isType(member));
  if (types.length > 0) found.push({ specifier, kind: 'type', names: types.map(importedName) });
  // `import './x.js'` names nothing and still runs the file.
  if (values.length > 0 || members.length === 0) {
    found.push({ specifier, kind: 'value', names: values.map(importedName) });
  }
  return found;
}

function importedName(/** @type {Node} */ member) {
  const name = member.type.startsWith('Export') ? member.local : member.imported;
  if (member.type === 'ImportDefaultSpecifier') return 'default';
  return isNode(name) ? String(name.name ?? name.value) : '*';
}

/**
 * The titles of `test('…')`, `it('…')`, `describe('…')` and their variations
 * such as `test.each(table)('…')`.
 * @param {Node} program
 * @returns {string[]}
 */
export function testTitlesIn(program) {
  /** @type {string[]} */
  const titles = [];
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !isTestFunction(node.callee)) return;
    const title = Array.isArray(node.arguments) ? textOf(node.arguments[0]) : null;
    if (title !== null) titles.push(title);
  });
  return titles;
}

/**
 * Every text that is written in a file: strings, templates and the text between JSX tags. Line breaks in JSX are kept.
 * @param {Node} program
 * @returns {string[]}
 */
export function textsIn(program) {
  /** @type {string[]} */
  const texts = [];
  visit(program, (node) => {
    const text = node.type === 'JSXText' && typeof node.value === 'string' ? node.value : textOf(node);
    if (text !== null) texts.push(text);
  });
  return texts;
}

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe']);

/** @returns {boolean} */
function isTestFunction(/** @type {unknown} */ callee) {
  if (!isNode(callee)) return false;
  switch (callee.type) {
    case 'Identifier':
      return TEST_FUNCTIONS.has(String(callee.name));
    case 'MemberExpression':
      return isTestFunction(callee.object);
    case 'CallExpression':
      return isTestFunction(callee.callee);
    case 'TaggedTemplateExpression':
      return isTestFunction(callee.tag);
    default:
      return false;
  }
}

/** The text of a literal; of a template, what is written in it, with `${…}` for the rest. */
function textOf(/** @type {unknown} */ node) {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null;
  return node.quasis.map((quasi) => quasi.value.cooked).join('${…}');
}

/** @returns {value is Node} */
function isNode(/** @type {unknown} */ value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
