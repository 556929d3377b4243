import type { Json, JsonObject } from '@countersign/protocol';

/**
 * The arguments under their proper names. A second spelling of one argument
 * stays as it is and is refused by the check: guessing which one was meant
 * would be worse.
 */
export function renamed(args: JsonObject, names: { readonly [misnamed: string]: string }): JsonObject {
  const taken = new Set(Object.keys(args));
  const entries = Object.entries(args).map(([name, value]): [string, Json] => {
    const proper = Object.hasOwn(names, name) ? names[name] : undefined;
    if (proper === undefined || taken.has(proper)) return [name, value];
    taken.add(proper);
    return [proper, value];
  });
  return Object.fromEntries(entries);
}
