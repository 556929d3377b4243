import type { Json } from '@countersign/protocol';

/** Deeper levels are not moved further to the right: what is nested ten thousand deep would be mostly blanks. */
const INDENTED_LEVELS_MAX = 20;

type Level = {
  readonly items: Iterator<readonly [string | null, Json]>;
  readonly end: string;
  isFirst: boolean;
};

/**
 * JSON to be read by a person, however deep. Strings are quoted so that they stay on their line; what else hides in
 * them is left for `visible` to show.
 */
export function jsonText(value: Json): string {
  const parts: string[] = [];
  const levels: Level[] = [];
  const begin = (item: Json): void => {
    const isEmpty = typeof item === 'object' && item !== null && Object.keys(item).length === 0;
    if (typeof item === 'string') parts.push(quoted(item));
    else if (typeof item !== 'object' || item === null || isEmpty) parts.push(JSON.stringify(item));
    else {
      parts.push(Array.isArray(item) ? '[' : '{');
      levels.push({ items: itemsOf(item), end: Array.isArray(item) ? ']' : '}', isFirst: true });
    }
  };
  begin(value);
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.items.next();
    if (next.done) {
      levels.pop();
      parts.push(newLine(levels.length), level.end);
      continue;
    }
    const [key, item] = next.value;
    parts.push(level.isFirst ? '' : ',', newLine(levels.length), key === null ? '' : `${quoted(key)}: `);
    level.isFirst = false;
    begin(item);
  }
  return parts.join('');
}

function* itemsOf(value: object): Generator<readonly [string | null, Json]> {
  if (Array.isArray(value)) for (const item of value) yield [null, item];
  else for (const [key, item] of Object.entries(value)) yield [key, item];
}

const newLine = (level: number): string => `\n${'  '.repeat(Math.min(level, INDENTED_LEVELS_MAX))}`;

const ESCAPES: { readonly [character: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
};
const quoted = (text: string): string =>
  `"${text.replace(/["\\\n\t]/g, (found) => ESCAPES[found] ?? found)}"`;
