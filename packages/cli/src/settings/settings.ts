import { usage } from '../io/failure-text.js';
import { SETTINGS, type SettingKey, type SettingValues } from './keys.js';
import type { SettingsFile } from './settings-file.js';

/** A value and its origin. */
export type Sourced<T> = { readonly value: T; readonly origin: Origin };
export type Origin =
  | { readonly type: 'default' }
  | {
      readonly type: 'file';
      readonly layer: SettingsFile['layer'];
      readonly file: string;
      readonly line: number;
    }
  | { readonly type: 'environment'; readonly name: string }
  | { readonly type: 'flag' };

/** Values from the command line, already checked by the command that has the options. */
export type Flags = { readonly [K in SettingKey]?: SettingValues[K] | undefined };

export type SettingSources = {
  /** In increasing precedence. */
  readonly files: readonly SettingsFile[];
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Flags;
  /** 'untrusted': only harmless settings of the project count. */
  readonly project: 'trusted' | 'untrusted';
};

/** The settings in force, with their origins. */
export class Settings {
  readonly #sources: SettingSources;

  constructor(sources: SettingSources) {
    this.#sources = sources;
  }

  /** The value in force. Later ones count: system, user, project, environment, flags. */
  get<K extends SettingKey>(key: K): Sourced<SettingValues[K]> {
    const { env, flags } = this.#sources;
    const flag = flags[key];
    if (flag !== undefined) return { value: flag, origin: { type: 'flag' } };
    return fromEnvironment(key, env) ?? this.#fromFiles(key, 'in force').at(-1) ?? defaultOf(key);
  }

  /** The value of each file that counts, for settings that are merged. */
  each<K extends SettingKey>(key: K): readonly Sourced<SettingValues[K]>[] {
    return this.#fromFiles(key, 'in force');
  }

  /** Whether the project sets it without effect, because it is not trusted. */
  isIgnored(key: SettingKey): boolean {
    return this.#fromFiles(key, 'in force').length < this.#fromFiles(key, 'set').length;
  }

  #fromFiles<K extends SettingKey>(key: K, which: 'in force' | 'set'): Sourced<SettingValues[K]>[] {
    const { files, project } = this.#sources;
    const { byDefault, isHarmless } = SETTINGS[key];
    const found: Sourced<SettingValues[K]>[] = [];
    for (const { layer, file, values, positionOf } of files) {
      const value = values[key];
      if (value === undefined) continue;
      const mayCount = layer !== 'project' || project === 'trusted';
      const inForce = found.at(-1)?.value ?? byDefault;
      if (which === 'in force' && !mayCount && !isHarmless(value, inForce)) continue;
      found.push({ value, origin: { type: 'file', layer, file, line: positionOf([key]).line } });
    }
    return found;
  }
}

const defaultOf = <K extends SettingKey>(key: K): Sourced<SettingValues[K]> => ({
  value: SETTINGS[key].byDefault,
  origin: { type: 'default' },
});

/** An empty variable counts as unset. */
function fromEnvironment<K extends SettingKey>(
  key: K,
  env: NodeJS.ProcessEnv,
): Sourced<SettingValues[K]> | null {
  const { variable: name, kind } = SETTINGS[key];
  const text = name === null ? '' : (env[name]?.trim() ?? '');
  if (name === null || text === '') return null;
  const value = kind.fromText?.(text);
  if (value === undefined)
    throw usage(`${name} is "${text}", which is not allowed`, `${name} must be ${kind.expected}`);
  return { value, origin: { type: 'environment', name } };
}
