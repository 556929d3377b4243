import { realpathSync } from 'node:fs';
import type { Resolved } from '@countersign/engine';
import type { Subject } from '@countersign/kernel';
import type { Resource } from '@countersign/protocol';
import { classify } from '@countersign/tools';

/** What a built-in tool says it would touch. Of any other tool nothing is known here, so it might touch anything. */
export async function planForJudging(
  resolved: Resolved | undefined,
  directory: string,
): Promise<Subject['plan']> {
  if (!resolved) {
    const unknown = { kind: 'opaque', why: 'nothing is known of what it touches' } as const;
    return { kind: 'other', resources: [unknown], byDefault: null };
  }
  const { tool, args } = resolved;
  try {
    const workspace = realpathSync(directory);
    const draft = await tool.plan(args, {
      sessionId: '',
      callId: '',
      workspace,
      signal: new AbortController().signal,
      wasRead: () => false,
      earlier: () => Promise.resolve(null),
    });
    const resources = draft.resources.map(
      (resource): Resource =>
        'path' in resource ? { ...resource, ...classify(workspace, resource.path) } : resource,
    );
    return { kind: tool.kind, resources, byDefault: draft.byDefault ?? null };
  } catch {
    // A call that can not be planned would never run; what rules say of it is still worth knowing.
    return { kind: tool.kind, resources: [], byDefault: null };
  }
}
