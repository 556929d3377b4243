import { probeSandbox, type SandboxMode } from '@countersign/sandbox';

const found = await probeSandbox();
/** Why nothing can be shown of confined commands here; null where it can. */
export const UNAVAILABLE: string | null = found.available ? null : `${found.why} ${found.fix}`;

/** What is promised of commands is promised of confined ones, too. */
export const BOTH_WAYS: readonly { readonly how: string; readonly sandbox: SandboxMode }[] = [
  { how: 'unconfined', sandbox: 'off' },
  ...(UNAVAILABLE === null ? [{ how: 'confined', sandbox: 'on' } as const] : []),
];
