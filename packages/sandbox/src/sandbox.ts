/** Proof that commands can be confined here: `probeSandbox` alone makes it. */
export type Sandbox = { readonly available: true; readonly version: string; readonly program: string };
export type NoSandbox = { readonly available: false; readonly why: string; readonly fix: string };
export type Probe = Sandbox | NoSandbox;
