import type { Probe, Sandbox } from './sandbox.js';

/** `on`: where it is available. `required`: nowhere else. */
export type SandboxMode = 'off' | 'on' | 'required';

export type Confinement =
  | { readonly run: 'confined'; readonly sandbox: Sandbox }
  /** Not confined, with the reason for the user. */
  | { readonly run: 'unconfined'; readonly because: string; readonly fix: string | null }
  | { readonly run: 'refuse'; readonly why: string; readonly fix: string };

/** How commands run. `probe` is not called where its answer does not matter. */
export async function confinementFor(mode: SandboxMode, probe: () => Promise<Probe>): Promise<Confinement> {
  if (mode === 'off') return { run: 'unconfined', because: 'The sandbox is switched off.', fix: null };
  const sandbox = await probe();
  if (sandbox.available) return { run: 'confined', sandbox };
  const { why, fix } = sandbox;
  return mode === 'on' ? { run: 'unconfined', because: why, fix } : { run: 'refuse', why, fix };
}
