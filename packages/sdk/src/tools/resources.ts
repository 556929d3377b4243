import type { DeclaredResource } from '@countersign/protocol';

type Scope = 'file' | 'tree';

/**
 * A file, or with 'tree' everything beneath a directory, that a call would read. The path comes from `resolve`.
 *
 * @example
 * ```ts
 * const plan = ({ dir }: { dir: string }, { resolve }: PlanningContext): PlanDraft => ({
 *   title: `Search ${dir}`,
 *   resources: [read(resolve(dir), 'tree')],
 *   repeat: 'safe',
 * });
 * ```
 */
export const read = (path: string, scope: Scope = 'file'): DeclaredResource => ({
  kind: 'fs.read',
  path,
  scope,
});

/**
 * A file, or with 'tree' everything beneath a directory, that a call would change. The path comes from `resolve`.
 *
 * @example
 * ```ts
 * const plan = ({ file }: { file: string }, { resolve }: PlanningContext): PlanDraft => ({
 *   title: `Sort ${file}`,
 *   resources: [write(resolve(file))],
 *   repeat: 'unsafe',
 * });
 * ```
 */
export const write = (path: string, scope: Scope = 'file'): DeclaredResource => ({
  kind: 'fs.write',
  path,
  scope,
});
