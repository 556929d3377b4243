import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place } from './program.js';

/** One hook of a settings file, with only what a test is about. */
export type HookSetup = {
  readonly command: string;
  readonly matcher?: string;
  readonly name?: string;
  readonly timeout?: number;
  readonly onFailure?: 'deny' | 'ignore';
};

/** The part of a settings file that has these hooks, each in a group of its own. */
export const hooksFor = (events: { readonly [event: string]: readonly HookSetup[] }) => ({
  hooks: Object.fromEntries(
    Object.entries(events).map(([event, wishes]) => [
      event,
      wishes.map(({ matcher = '*', ...hook }) => ({ matcher, hooks: [{ type: 'command', ...hook }] })),
    ]),
  ),
});

/** The settings of the person whose home this place has. */
export function userSettings(place: Place, settings: unknown): void {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'settings.json'), asText(settings));
}

export const projectSettings = (place: Place, settings: unknown): void =>
  place.write('.countersign/settings.json', asText(settings));

/** A script in the workspace that can be run. */
export function script(place: Place, path: string, text: string): void {
  const full = join(place.workspace, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text, { mode: 0o755 });
}

const asText = (settings: unknown) =>
  typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2);

/** A command that prints this answer. */
export const saying = (answer: unknown): string => `echo '${JSON.stringify(answer)}'`;
