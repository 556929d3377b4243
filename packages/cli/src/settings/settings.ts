import { usage } from '../io/failure-text.js';
import { SETTINGS, type SettingKey, type SettingValues } from './keys.js';
import type { SettingsFile } from './settings-file.js';

/** A value and who found so. */
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
  /** In the order in which they count, the last one most. */
  readonly files: readonly SettingsFile[];
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Flags;
  /** 'untrusted': of what the project says only what does no harm counts. */
  readonly project: 'trusted' | 'untrusted';
};

/** What is set, by whom, and what would count without them. */
export class Settings {
  readonly #sources: SettingSources;

  constructor(sources: SettingSources) {
    this.#sources = sources;
  }

  /** What is in force: user, project, environment, flags, in that order, and the system before all. */
  get<K extends SettingKey>(key: K): Sourced<SettingValues[K]> {
    const { env, flags } = this.#sources;
    const flag = flags[key];
    if (flag !== undefined) return { value: flag, origin: { type: 'flag' } };
    return fromEnvironment(key, env) ?? this.#fromFiles(key, 'in force').at(-1) ?? defaultOf(key);
  }

  /** What each file says, as far as it counts: for what adds up instead of taking another's place. */
  each<K extends SettingKey>(key: K): readonly Sourced<SettingValues[K]>[] {
    return this.#fromFiles(key, 'in force');
  }

  /** Whether the project says something that does not count until it is trusted. */
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

/** An empty variable is as good as none. */
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
