// What a declaration file (.d.ts) offers, followed through its re-exports to where each name is declared.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseText } from './syntax.mjs';

/**
 * One declaration of an exported name: a name may have two, a value and the type of the same name.
 * @typedef {{ kind: 'class' | 'function' | 'constant' | 'type', signature: string, comment: string | null }} Declaration
 * @typedef {ReadonlyMap<string, readonly Declaration[]>} Door
 * @typedef {import('./syntax.mjs').Node} Node
 */

/**
 * Every name that a declaration file exports.
 * @param {string} file
 * @param {Map<string, Door>} [known] by file: what was read for others, and is not read again
 * @returns {Door}
 */
export function readDoor(file, known = new Map()) {
  const before = known.get(file);
  if (before) return before;
  const text = readFileSync(file, 'utf8');
  /** @type {Map<string, Declaration[]>} */
  const door = new Map();
  const offer = (/** @type {string} */ name, /** @type {readonly Declaration[]} */ declarations) =>
    door.set(name, [...(door.get(name) ?? []), ...declarations]);

  const statements = nodesIn(parseText(text, 'ts').body);
  const fileOf = (/** @type {Node} */ { source }) => {
    const from = textOf(source);
    return from?.startsWith('.') ? join(dirname(file), from.replace(/\.js$/, '.d.ts')) : null;
  };
  const imported = importsIn(statements, fileOf);

  // A name that a file exports by name hides the same one from `export *`, so those come last.
  const isForAll = (/** @type {Node} */ { type }) => type === 'ExportAllDeclaration';
  const named = statements.filter((statement) => !isForAll(statement));
  for (const statement of [...named, ...statements.filter(isForAll)]) {
    const target = fileOf(statement);
    switch (statement.type) {
      case 'ExportAllDeclaration':
        if (!target) break;
        for (const [name, declarations] of readDoor(target, known)) {
          if (!door.has(name)) offer(name, declarations);
        }
        break;
      case 'ExportNamedDeclaration':
        for (const specifier of nodesIn(statement.specifiers)) {
          const [local, exported] = [nameOf(specifier.local), nameOf(specifier.exported)];
          const origin = target ? { file: target, name: local } : imported.get(local);
          const found = origin && readDoor(origin.file, known).get(origin.name);
          if (!found) throw new Error(`${file} exports ${exported}, and where it comes from was not found`);
          offer(
            exported,
            found.map((declaration) => renamed(declaration, local, exported)),
          );
        }
        for (const declared of nodesIn([statement.declaration])) {
          for (const { name, kind } of declaredBy(declared)) {
            offer(name, [
              { kind, signature: signatureOf(text, declared), comment: commentBefore(text, statement) },
            ]);
          }
        }
        break;
    }
  }
  known.set(file, door);
  return door;
}

/**
 * The names that a declaration file exports by name, without those of its `export *`.
 * @param {string} file
 */
export function namesListedIn(file) {
  const statements = nodesIn(parseText(readFileSync(file, 'utf8'), 'ts').body);
  return statements
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ specifiers }) => nodesIn(specifiers).map(({ exported }) => nameOf(exported)));
}

/**
 * Names that a file has from others, by how it calls them.
 * @param {readonly Node[]} statements
 * @param {(statement: Node) => string | null} fileOf
 */
function importsIn(statements, fileOf) {
  /** @type {Map<string, { file: string, name: string }>} */
  const imported = new Map();
  for (const statement of statements) {
    const file = statement.type === 'ImportDeclaration' ? fileOf(statement) : null;
    if (file === null) continue;
    for (const { local, imported: name } of nodesIn(statement.specifiers)) {
      imported.set(nameOf(local), { file, name: nameOf(name) });
    }
  }
  return imported;
}

/** @returns {{ name: string, kind: Declaration['kind'] }[]} */
function declaredBy(/** @type {Node} */ declared) {
  switch (declared.type) {
    case 'ClassDeclaration':
      return [{ name: nameOf(declared.id), kind: 'class' }];
    case 'TSDeclareFunction':
    case 'FunctionDeclaration':
      return [{ name: nameOf(declared.id), kind: 'function' }];
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [{ name: nameOf(declared.id), kind: 'type' }];
    case 'VariableDeclaration':
      return nodesIn(declared.declarations).map(({ id }) => ({ name: nameOf(id), kind: 'constant' }));
    default:
      throw new Error(`An exported ${declared.type} is not understood yet`);
  }
}

/** As it is written, without what says nothing to a reader. */
const signatureOf = (/** @type {string} */ text, /** @type {Node} */ { start, end }) =>
  text
    .slice(start, end)
    .replace(/^declare /, '')
    .replace(/^ *#private;\n/m, '');

/** @returns {string | null} the text of the doc comment right before a statement */
function commentBefore(/** @type {string} */ text, /** @type {Node} */ { start }) {
  const before = text.slice(0, start).trimEnd();
  const opens = before.lastIndexOf('/**');
  if (!before.endsWith('*/') || before.indexOf('*/', opens) !== before.length - 2) return null;
  const lines = before.slice(opens + '/**'.length, -'*/'.length).split('\n');
  return lines
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** @returns {Declaration} */
function renamed(
  /** @type {Declaration} */ declaration,
  /** @type {string} */ from,
  /** @type {string} */ to,
) {
  const signature = declaration.signature.replace(new RegExp(`\\b${from}\\b`), to);
  return from === to ? declaration : { ...declaration, signature };
}

/** @returns {Node[]} */
const nodesIn = (/** @type {unknown} */ list) =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];

const nameOf = (/** @type {unknown} */ node) =>
  typeof node === 'object' && node !== null && 'name' in node ? String(node.name) : '';

const textOf = (/** @type {unknown} */ node) =>
  typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
    ? node.value
    : null;
