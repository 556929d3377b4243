export type HookProblem = {
  /** Where in the settings: `hooks.BeforeTool[0].matcher`. */
  readonly path: string;
  readonly problem: string;
  /** The effect: the hooks there do not run at all, or they run without this field. */
  readonly effect: 'omitted' | 'not used';
};

export type Complain = (path: string, problem: string, effect: HookProblem['effect']) => void;

export type Table = { readonly [key: string]: unknown };

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads fields as what they have to be; null for one that is not there or not that. Unknown names are reported at once. */
export function takeFrom<K extends string>(
  table: Table,
  path: string,
  keys: readonly K[],
  complain: Complain,
) {
  const known: readonly string[] = keys;
  for (const key of Object.keys(table)) {
    if (known.includes(key)) continue;
    complain(`${path}.${key}`, `this key is not known; known keys are ${keys.join(', ')}`, 'not used');
  }
  return <T>(
    key: K,
    read: (value: unknown) => T | undefined,
    expected: string,
    effect: HookProblem['effect'],
  ): T | null => {
    const value = table[key];
    if (value === undefined || value === null) return null;
    const taken = read(value);
    if (taken === undefined) complain(`${path}.${key}`, `it must be ${expected}`, effect);
    return taken ?? null;
  };
}
