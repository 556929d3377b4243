import type { JsonObject } from '@countersign/protocol';
import { isObject } from '../io/json-lines.js';

/** The type of a setting's value. */
export type Kind<T> = {
  /** Undefined if the value is invalid. */
  readonly read: (value: unknown) => T | undefined;
  /** Parses an environment variable; null if none can set it. */
  readonly fromText: ((text: string) => T | undefined) | null;
  /** To continue after "it must be". */
  readonly expected: string;
};

/** Members are checked by the code that uses them. */
export const anObject: Kind<JsonObject> = {
  read: (value) => (isObject(value) ? value : undefined),
  fromText: null,
  expected: 'an object',
};

export function oneOf<T extends string>(
  words: readonly T[],
  other: ReadonlyMap<string, T> = new Map(),
): Kind<T> {
  const read = (value: unknown) =>
    typeof value === 'string' ? (words.find((word) => word === value) ?? other.get(value)) : undefined;
  return { read, fromText: read, expected: `one of ${words.map((word) => `"${word}"`).join(', ')}` };
}

export const text: Kind<string> = kindOfText(() => true, 'a non-empty string');

export const httpAddress: Kind<string> = kindOfText(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'a URL that begins with http:// or https://',
);

export const absolutePath: Kind<string> = kindOfText(
  (value) => value.startsWith('/') && !value.includes('\0'),
  'an absolute path',
);

export const texts: Kind<readonly string[]> = listOf(text, 'a list of strings');

/** Not a path, which would let a project send any file to the model. */
const fileName = kindOfText((value) => !/[/\\\0]/.test(value) && !/^\.{1,2}$/.test(value), 'a file name');

/** One or several. */
export const fileNames: Kind<readonly string[]> = {
  ...listOf(fileName, 'a file name without directories, or a list of them'),
  read: (value) => {
    const names = Array.isArray(value) ? value : [value];
    return listOf(fileName, '').read(names);
  },
};

function kindOfText(isGood: (value: string) => boolean, expected: string): Kind<string> {
  const read = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' && isGood(value) ? value : undefined;
  return { read, fromText: read, expected };
}

export function listOf<T>({ read }: Kind<T>, expected: string): Kind<readonly T[]> {
  const readAll = (value: unknown): readonly T[] | undefined => {
    if (!Array.isArray(value)) return undefined;
    const members = value.map(read).filter((member) => member !== undefined);
    return members.length === value.length ? members : undefined;
  };
  return {
    read: readAll,
    fromText: (given) => readAll(given.split(/[\s,]+/).filter((word) => word !== '')),
    expected,
  };
}
