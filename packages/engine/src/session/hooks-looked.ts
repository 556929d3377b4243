import type { NewCall } from '@countersign/kernel';
import type { HookNote, ToolOutcome } from '@countersign/protocol';

/** What AfterTool hooks came to, as the kernel hears of it. */
export type HooksLooked = {
  readonly outcome: ToolOutcome | null;
  readonly followUp: NewCall | null;
  readonly notes: readonly HookNote[];
};
