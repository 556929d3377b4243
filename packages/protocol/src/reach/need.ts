/** Access that the sandbox blocked, as it would have to be granted. */
export type Need =
  | { readonly needs: 'read' | 'write'; readonly path: string; readonly scope: 'file' | 'tree' }
  /** `host` as far as it is known; `localhost:5432` for a service of this machine. */
  | { readonly needs: 'network'; readonly host: string | null };

/** To continue after "it needs", "the sandbox blocked". */
export function needInWords(need: Need): string {
  switch (need.needs) {
    case 'read':
      return `reading ${need.path}${need.scope === 'tree' ? ' and its contents' : ''}`;
    case 'write':
      return `writing ${need.path}${need.scope === 'tree' ? ' and its contents' : ''}`;
    case 'network':
      return need.host === null ? 'the network' : `the network (${need.host})`;
  }
}
