import type { ToolCall as KernelCall } from '@countersign/protocol';

/**
 * Cuts what happened in one append into snapshots so that no status of any call
 * is skipped: the first snapshot shows each changed call in the first new status
 * it had, the second in its second, and so on. A thousand calls that all went
 * through `scheduled` to `executing` in one append make two snapshots, not two
 * thousand, so the cost of a batch stays in proportion to it. A start is never
 * shown ahead of what came before it: it may have waited for just that.
 */
export function levels(changes: readonly KernelCall[]): readonly (readonly KernelCall[])[] {
  const seen = new Map<string, { level: number; status: string; place: number }>();
  const cut: KernelCall[][] = [];
  for (const call of changes) {
    const { callId } = call.request;
    const earlier = seen.get(callId);
    const isSame = earlier?.status === call.status;
    const own = earlier === undefined ? 0 : isSame ? earlier.level : earlier.level + 1;
    const level = call.status === 'executing' && !isSame ? Math.max(own, cut.length - 1) : own;
    const at = (cut[level] ??= []);
    // The same status again, with more known about it, takes the place of what was there.
    if (isSame) at[earlier.place] = call;
    else {
      seen.set(callId, { level, status: call.status, place: at.length });
      at.push(call);
    }
  }
  return cut;
}
