import { nearest } from '@countersign/engine';
import type { Node, ParseError } from 'jsonc-parser';
import { CommandFailure } from '../io/failure-text.js';
import { decodeText, readRegularFile } from '../io/regular-file.js';
import { isSettingKey, SETTING_KEYS, SETTINGS, type SettingKey, type SettingValues } from './keys.js';

/** Whose file it is. */
export type Layer = 'system' | 'user' | 'project';

/** A parsed settings file (JSON with comments), with checked values. */
export type SettingsFile = {
  readonly layer: Layer;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly values: { readonly [K in SettingKey]?: SettingValues[K] };
  /** The position of a member, or of its nearest parent: `['hooks', 'BeforeTool', 0]`. */
  readonly positionOf: (path: readonly (string | number)[]) => Position;
  readonly notices: readonly SettingsNotice[];
};
export type Position = { readonly line: number; readonly column: number };
/** A warning or remark on a usable file. */
export type SettingsNotice = {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** 'info': how something is interpreted. Default: 'warning'. */
  readonly severity?: 'info' | 'warning';
};

/** Null if there is none. */
export async function readSettingsFile(layer: Layer, file: string): Promise<SettingsFile | null> {
  const read = readRegularFile(file);
  switch (read.type) {
    case 'absent':
      return null;
    case 'unusable':
      throw invalid(file, START, read.problem);
    case 'read':
      return parseSettings(layer, file, read.bytes);
  }
}

const START: Position = { line: 1, column: 1 };

/** Reads a whole file or fails: ignoring a part could weaken what the user relies on. */
export async function parseSettings(layer: Layer, file: string, bytes: Uint8Array): Promise<SettingsFile> {
  const text = decodeText(bytes);
  if (text === null) throw invalid(file, START, 'it is not UTF-8');
  const { parseTree, getNodeValue, findNodeAtLocation, printParseErrorCode } = await import('jsonc-parser');
  const at = (offset: number) => positionAt(text, offset);

  const errors: ParseError[] = [];
  const root = tried(file, () =>
    parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }),
  );
  const [error] = errors;
  if (error !== undefined) {
    throw invalid(
      file,
      at(error.offset),
      `${inWords(printParseErrorCode(error.error))}, in JSON with comments`,
    );
  }
  const positionOf = (path: readonly (string | number)[]): Position => {
    for (let length = path.length; root && length > 0; length -= 1) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node) return at(node.offset);
    }
    return START;
  };
  if (root === undefined) return { layer, file, bytes, values: {}, positionOf, notices: [] };
  if (root.type !== 'object') throw invalid(file, at(root.offset), 'settings are an object: { … }');
  const twice = tried(file, () => doubtfulKey(root));
  if (twice) throw invalid(file, at(twice.offset), `the key ${JSON.stringify(twice.value)} ${twice.problem}`);

  const values: { -readonly [K in SettingKey]?: SettingValues[K] } = {};
  const notices: SettingsNotice[] = [];
  const take = <K extends SettingKey>(key: K, node: Node) => {
    const { kind } = SETTINGS[key];
    const value = kind.read(getNodeValue(node));
    if (value === undefined) throw invalid(file, at(node.offset), `"${key}" must be ${kind.expected}`);
    values[key] = value;
  };
  for (const { key, node } of members(root)) {
    if (isSettingKey(key)) take(key, node);
    else if (key !== '$schema') notices.push({ file, line: at(node.offset).line, text: unknownKey(key) });
  }
  return { layer, file, bytes, values, positionOf, notices };
}

export const invalid = (file: string, { line, column }: Position, problem: string) =>
  new CommandFailure({ code: 'settings_invalid', file, line, column, problem });

function unknownKey(key: string): string {
  const [guess] = nearest(key, SETTING_KEYS);
  return `The key ${JSON.stringify(key)} is not known and has no effect.${guess === undefined ? '' : ` Did you mean "${guess}"?`}`;
}

/** Deep nesting exhausts the stack of a recursive walk. */
function tried<T>(file: string, walk: () => T): T {
  try {
    return walk();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw invalid(file, START, 'it is nested too deeply');
    throw thrown;
  }
}

function* members(
  object: Node,
): Generator<{ readonly key: string; readonly node: Node; readonly name: Node }> {
  for (const { children } of object.children ?? []) {
    const [name, node] = children ?? [];
    if (name && node) yield { key: String(name.value), name, node };
  }
}

type DoubtfulKey = { readonly value: string; readonly offset: number; readonly problem: string };

/** Of a duplicate key one value would be lost silently, and `__proto__` would not be a key. */
function doubtfulKey(node: Node): DoubtfulKey | null {
  if (node.type === 'array') {
    for (const child of node.children ?? []) {
      const found = doubtfulKey(child);
      if (found) return found;
    }
  }
  if (node.type !== 'object') return null;
  const seen = new Set<string>();
  for (const { key, name, node: value } of members(node)) {
    if (seen.has(key))
      return { value: key, offset: name.offset, problem: 'appears here for the second time' };
    if (key === '__proto__') return { value: key, offset: name.offset, problem: 'cannot be used' };
    seen.add(key);
    const found = doubtfulKey(value);
    if (found) return found;
  }
  return null;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `CommaExpected` → `comma expected`. */
const inWords = (code: string) => code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
