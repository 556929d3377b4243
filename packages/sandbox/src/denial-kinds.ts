/** What a command would have needed, as it would have to be granted. */
export type Denial =
  | { readonly needs: 'read' | 'write'; readonly path: string; readonly scope: 'file' | 'tree' }
  /** `host` as far as it is known; `localhost:5432` for a service of this machine. */
  | { readonly needs: 'network'; readonly host: string | null };
