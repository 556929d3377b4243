import type { Plan } from '@countersign/protocol';

/** The real path that was judged when the call was planned. A run acts on this one and resolves nothing again. */
export function grantedPath(plan: Plan, kind: 'fs.read' | 'fs.write'): string {
  for (const resource of plan.resources) if (resource.kind === kind) return resource.path;
  throw new Error(`the plan "${plan.title}" has no ${kind} resource`);
}
