import type { Credential } from '../http/call.js';
import { readKeyFile } from './key-file.js';
import { type KeyringOptions, readKeyring } from './keyring.js';

/** The variables that may hold the key of a provider, in the order in which providers are taken (SPEC G1). */
export const KEY_VARIABLES = {
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
} as const;
export type HostedKind = keyof typeof KEY_VARIABLES;
export const HOSTED: readonly HostedKind[] = ['gemini', 'anthropic', 'openai'];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Absolute paths; null for none. */
export type KeyFiles = { readonly [K in HostedKind]?: string | null };

/** The providers whose keys the system's keyring holds. */
export type Keyring = Partial<KeyringOptions> & { readonly providers: readonly HostedKind[] };

/** Everywhere that a key may come from. */
export type KeyPlaces = {
  readonly environment: Environment;
  readonly files?: KeyFiles | undefined;
  readonly keyring?: Keyring | undefined;
};

export type KeySource =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'file'; readonly path: string; readonly name: string }
  | { readonly type: 'keyring' };

/** Where the key of a provider is to come from: a variable counts more than a file, a file more than the keyring. Reads nothing. */
export function keySource(kind: HostedKind, { environment, files, keyring }: KeyPlaces): KeySource | null {
  const name = KEY_VARIABLES[kind].find((variable) => valueOf(environment, variable) !== null);
  if (name !== undefined) return { type: 'variable', name };
  const path = files?.[kind] ?? null;
  // What a key file is called where it is named, by whatever means.
  if (path !== null) return { type: 'file', path, name: `${KEY_VARIABLES[kind][0]}_FILE` };
  return keyring?.providers.includes(kind) ? { type: 'keyring' } : null;
}

export type FoundKey =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly problem: string; readonly fix: string };

const FROM_KEYRING = "the system's keyring";

/** The key of a provider; null if nothing names one. Only here are files and the keyring read. */
export async function keyOf(
  kind: HostedKind,
  places: KeyPlaces,
  signal: AbortSignal,
): Promise<FoundKey | null> {
  const source = keySource(kind, places);
  if (source === null) return null;
  if (source.type === 'variable') {
    const value = valueOf(places.environment, source.name) ?? '';
    return { ok: true, credential: { value, from: source.name } };
  }
  const isFile = source.type === 'file';
  const read = isFile
    ? readKeyFile(source.path)
    : await readKeyring(kind, places.environment, signal, places.keyring);
  if (!read.ok) return read;
  return { ok: true, credential: { value: read.value, from: isFile ? source.name : FROM_KEYRING } };
}

/** What says that there is a key, as a clause. */
export function sourceInWords(source: KeySource): string {
  return source.type === 'keyring' ? `${FROM_KEYRING} holds its key` : `${source.name} is set`;
}

/** Blanks around a value come from copying it; an empty one means that there is none. */
export const valueOf = (environment: Environment, name: string): string | null =>
  environment[name]?.trim() || null;
