/**
 * Plain data: a value that survives JSON unchanged.
 *
 * @example
 * ```ts
 * const value: Json = { list: [1, 'two', null] };
 * ```
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/**
 * An object of plain data.
 *
 * @example
 * ```ts
 * const args: JsonObject = { file_path: 'a.txt' };
 * ```
 */
export type JsonObject = { readonly [key: string]: Json };

/**
 * One spelling per value: keys sorted, no blanks. Two values are the same
 * question, the same arguments, the same tool definition exactly when their
 * canonical texts are equal, so this text is what gets hashed.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}
