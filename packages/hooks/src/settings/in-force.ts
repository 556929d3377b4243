import type { HookDefinition, HookSource } from '../hook/hook.js';
import type { HooksRead } from './read-hooks.js';
import { isSwitchedOff } from './switches.js';

/** Whose word counts more. A project comes from anywhere, also where it is trusted. */
export const STANDING: { readonly [S in HookSource]: number } = {
  system: 3,
  user: 2,
  extension: 1,
  project: 0,
};

/**
 * The hooks of all settings files together. A file switches off hooks of its own and of those with less standing: a
 * project cannot take away what a person or an administrator guards with.
 */
export const hooksInForce = (files: readonly HooksRead[]): readonly HookDefinition[] =>
  files.flatMap(({ source, hooks }) => {
    const above = files.filter((file) => STANDING[file.source] >= STANDING[source]);
    return hooks.filter((hook) => !above.some(({ switches }) => isSwitchedOff(hook, switches)));
  });
