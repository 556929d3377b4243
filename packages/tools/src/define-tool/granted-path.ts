import { componentsBelow } from '@countersign/host';
import type { Plan } from '@countersign/protocol';

type Access = 'fs.read' | 'fs.write';

/** The real path that was judged when the call was planned. A run acts on this one and resolves nothing again. */
export function grantedPath(plan: Plan, kind: Access): string {
  for (const resource of plan.resources) if (resource.kind === kind) return resource.path;
  throw new Error(`the plan "${plan.title}" has no ${kind} resource`);
}

/** Whether the plan named a real path, or a tree that it lies in, for one of these kinds of access. */
export const isGranted = ({ resources }: Plan, path: string, ...kinds: readonly Access[]): boolean =>
  resources.some(
    (resource) =>
      'path' in resource &&
      kinds.includes(resource.kind) &&
      (resource.path === path ||
        (resource.scope === 'tree' && componentsBelow(resource.path, path) !== null)),
  );
