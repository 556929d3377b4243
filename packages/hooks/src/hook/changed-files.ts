/** Contents by their path: what was trusted, or what is there now. */
export type Contents = readonly { readonly path: string; readonly hash: string | null }[];

export type FileChange = { readonly path: string; readonly how: 'changed' | 'added' | 'removed' };

/** What is not as it was, by path. What could not be read counts as changed: its content is unknown. */
export function changedFiles(before: Contents, now: Contents): readonly FileChange[] {
  const then = new Map(before.map(({ path, hash }) => [path, hash]));
  const present = new Set(now.map(({ path }) => path));
  const changes: FileChange[] = [
    ...now.flatMap(({ path, hash }): FileChange[] => {
      if (!then.has(path)) return [{ path, how: 'added' }];
      return hash === null || then.get(path) !== hash ? [{ path, how: 'changed' }] : [];
    }),
    ...before.flatMap(({ path }): FileChange[] => (present.has(path) ? [] : [{ path, how: 'removed' }])),
  ];
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
