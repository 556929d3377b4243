/**
 * tests/repository/exports.json: the names that each package offers at its root. A name more or less is
 * then a visible line in a change, not an accident.
 * @param {Readonly<Record<string, object>>} modules by package folder
 */
export function exportsList(modules) {
  const names = Object.entries(modules).map(([folder, module]) => [folder, Object.keys(module).sort()]);
  return `${JSON.stringify(Object.fromEntries(names), null, 2)}\n`;
}
