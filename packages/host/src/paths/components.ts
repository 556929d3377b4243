/** The names along an absolute path that is already free of `.`, `..` and symlinks. */
export const componentsOf = (path: string): string[] => path.split('/').filter((name) => name !== '');

/** The names that lead from `directory` to `path`; null if `path` lies elsewhere. `/ws-evil` is not below `/ws`. */
export function componentsBelow(directory: string, path: string): string[] | null {
  const from = componentsOf(directory);
  const to = componentsOf(path);
  return from.every((name, depth) => name === to[depth]) ? to.slice(from.length) : null;
}

/** How a path is named to people and models: from the workspace if it lies there, else in full. */
export function shownPath(workspace: string, path: string): string {
  const below = componentsBelow(workspace, path);
  if (below === null) return path;
  return below.length === 0 ? '.' : below.join('/');
}

export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const names = componentsOf(path);
  const name = names.pop() ?? '';
  return { parent: `/${names.join('/')}`, name };
}
