/**
 * The same data with U+FFFD for each half of a surrogate pair, as a cut through a text leaves it: a half is no character,
 * and outside of JavaScript few programs can read it. Data without one is returned as it is.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return HALF.test(value) ? value.replace(HALVES, '\ufffd') : value;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const copy = list.map((item) => wellFormed(item));
    return copy.some((item, index) => item !== list[index]) ? copy : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const copy = members.map(([key, member]) => [wellFormed(key), wellFormed(member)] as const);
  const isSame = copy.every(([key, member], index) => {
    const given = members[index];
    return given !== undefined && key === given[0] && member === given[1];
  });
  return isSame ? value : Object.fromEntries(copy);
}

const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;
