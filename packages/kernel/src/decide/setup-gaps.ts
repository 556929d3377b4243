import { SANDBOX_SETTINGS, type SessionSetup, type SetupFile, type SetupGap } from '@countersign/protocol';

/** What a session was opened with and this process lacks. Rules that were added since, or say something else now, are no gap. */
export function setupGaps(was: SessionSetup | null, is: SessionSetup | null): readonly SetupGap[] {
  if (was === null) return [];
  const missing = (kind: 'policy' | 'tools', then: readonly SetupFile[], now: readonly SetupFile[] = []) =>
    then.flatMap(({ path }) => (now.some((each) => each.path === path) ? [] : [{ kind, path }]));
  // A process that does not set it uses the default.
  const sandbox = is?.sandbox ?? 'on';
  const isWeaker =
    was.sandbox !== undefined && SANDBOX_SETTINGS.indexOf(sandbox) < SANDBOX_SETTINGS.indexOf(was.sandbox);
  return [
    ...missing('policy', was.policies, is?.policies),
    ...missing('tools', was.tools, is?.tools),
    ...(isWeaker ? [{ kind: 'sandbox', was: was.sandbox, is: sandbox } as const] : []),
  ];
}
