import { basename } from 'node:path';

/**
 * Which parts go into which file. What is always needed together is read, and
 * compiled from its cache, at once: all that starts with the program, and all
 * that one of its commands needs to begin with. What is loaded later has a file
 * of its own.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} main
 * @returns {{ readonly file: string, readonly names: readonly string[] }[]} the main file first
 */
export function filesOf(outputs, main) {
  const parts = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const importsOf = (/** @type {string} */ name, /** @type {'import-statement' | 'dynamic-import'} */ kind) =>
    (parts.get(name)?.imports ?? [])
      .filter((imported) => imported.kind === kind && !imported.external)
      .map(({ path }) => basename(path));

  /** @type {Set<string>} */
  const placed = new Set();
  const takeWithAllItNeeds = (/** @type {string} */ name) => {
    /** @type {string[]} */
    const taken = [];
    const wanted = [name];
    for (const next of wanted) {
      if (placed.has(next)) continue;
      placed.add(next);
      taken.push(next);
      wanted.push(...importsOf(next, 'import-statement'));
    }
    return taken;
  };

  const files = [{ file: main, names: takeWithAllItNeeds(main) }];
  for (const name of importsOf(main, 'dynamic-import'))
    files.push({ file: name, names: takeWithAllItNeeds(name) });
  const others = [...parts.keys()].filter((name) => !placed.has(name));
  return [...files, ...others.map((name) => ({ file: name, names: [name] }))];
}
