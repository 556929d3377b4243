import type { HookDefinition, HookSource } from '../hook/hook.js';
import type { HooksRead } from './read-hooks.js';
import { isSwitchedOff } from './switches.js';

/** Which source overrides which. A project may come from anywhere, even where it is trusted. */
export const PRECEDENCE: { readonly [S in HookSource]: number } = {
  system: 3,
  user: 2,
  extension: 1,
  project: 0,
};

/**
 * The hooks of all settings files together. A file switches off hooks of its own and of sources with less precedence: a
 * project cannot take away what a person or an administrator guards with.
 */
export const hooksInForce = (files: readonly HooksRead[]): readonly HookDefinition[] =>
  files.flatMap(({ source, hooks }) => {
    const above = files.filter((file) => PRECEDENCE[file.source] >= PRECEDENCE[source]);
    return hooks.filter((hook) => !above.some(({ switches }) => isSwitchedOff(hook, switches)));
  });
