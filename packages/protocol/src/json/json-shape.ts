/**
 * How large a JSON value may be in its structure, whatever its size in bytes: everything that walks, sorts, copies or
 * checks it takes time for each part. The most that people and models send are a few thousand parts.
 */
export const JSON_PARTS_MAX = 10_000;
/** What a tool gives back is only copied and kept. */
export const RESULT_PARTS_MAX = 100_000;
/** The journal's database reads JSON that is up to 1,000 deep, and a fact puts what it holds a few levels down. */
export const JSON_DEPTH_MAX = 900;

export type ShapeLimits = { readonly partsMax: number; readonly depthMax: number };
const LIMITS: ShapeLimits = { partsMax: JSON_PARTS_MAX, depthMax: JSON_DEPTH_MAX };

/** What is too large about a value, or null. Parts are members and items; it looks at no more of them than there may be. */
export function shapeProblem(value: unknown, limits: ShapeLimits = LIMITS): string | null {
  const excess = excessOf(value, limits);
  if (excess === null) return null;
  return excess === 'parts' ? tooMany(limits.partsMax) : tooDeep(limits.depthMax);
}

/** The same for the number of parts alone, of a value that may have no end: what is too deep is not looked into. */
export const partsProblem = (value: unknown, partsMax: number): string | null =>
  excessOf(value, { partsMax, depthMax: JSON_DEPTH_MAX }) === 'parts' ? tooMany(partsMax) : null;

function excessOf(value: unknown, { partsMax, depthMax }: ShapeLimits): 'parts' | 'depth' | null {
  if (typeof value !== 'object' || value === null) return null;
  let parts = 0;
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return 'depth';
    const below: object[] = [];
    for (const each of level) {
      // `for in` instead of a list of all keys, which would be made before it could be found too long.
      for (const key in each) {
        parts++;
        if (parts > partsMax) return 'parts';
        const member: unknown = Reflect.get(each, key);
        if (typeof member === 'object' && member !== null) below.push(member);
      }
    }
    level = below;
  }
  return null;
}

/** The same for JSON text that has not been parsed: commas and brackets outside of strings are counted. */
export function textShapeProblem(json: string, { partsMax, depthMax }: ShapeLimits = LIMITS): string | null {
  let parts = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
        parts++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        parts++;
        depth++;
        if (depth > depthMax) return tooDeep(depthMax);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
    }
    // A list or object has one part more than it has commas; an empty one counts as if it had one.
    if (parts > partsMax) return tooMany(partsMax);
  }
  return null;
}

/** Where a string that begins here ends. Backslashes before a quote are counted back, each of them once. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const tooMany = (partsMax: number) => `it has more than ${partsMax} members and items`;
const tooDeep = (depthMax: number) => `it is nested more than ${depthMax} deep`;
