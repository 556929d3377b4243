import { CommandFailure } from '../io/failure-text.js';
import { SETTING_KEYS, type SettingKey, type SettingValues } from '../settings/keys.js';
import type { Origin, Settings } from '../settings/settings.js';
import { type Check, failed } from './check.js';
import { addressText } from './without-secrets.js';

/** A setting without secrets. */
export type ShownSetting = { readonly key: SettingKey; readonly value: string; readonly origin: string };

/** Every setting that can be read, and the problems of the others. */
export function settingsShown(settings: Settings): {
  readonly shown: readonly ShownSetting[];
  readonly checks: readonly Check[];
} {
  const shown: ShownSetting[] = [];
  const checks: Check[] = [];
  for (const key of SETTING_KEYS) {
    try {
      const { value, origin } = settings.get(key);
      shown.push({ key, value: valueText(key, value), origin: originText(origin) });
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure)) throw thrown;
      checks.push(failed('settings', thrown.failure));
    }
  }
  return { shown, checks };
}

/** Of objects only the names of their members, since hooks and servers contain keys and tokens. */
function valueText(key: SettingKey, value: SettingValues[SettingKey]): string {
  if (value === null) return '(not set)';
  if (typeof value === 'string') return key === 'searxngUrl' ? addressText(value) : value;
  const names = isList(value) ? value : typeof value === 'object' ? Object.keys(value) : [String(value)];
  return names.length === 0 ? '(none)' : names.join(', ');
}

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

function originText(origin: Origin): string {
  switch (origin.type) {
    case 'default':
      return 'by default';
    case 'file':
      return `${origin.file}:${origin.line} (${origin.layer})`;
    case 'environment':
      return origin.name;
    case 'flag':
      return 'command line';
  }
}
