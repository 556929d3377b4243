import type { Failure } from '@countersign/protocol';
import type { Credential } from '../http/call.js';
import { readKeyFile } from './key-file.js';
import { modelsAt, ollamaBaseUrl, ollamaModels } from './local-models.js';

export type ProviderKind = 'gemini' | 'anthropic' | 'openai' | 'ollama';
/** Absolute paths; null for none. */
export type KeyFiles = { readonly [K in Exclude<ProviderKind, 'ollama'>]?: string | null };
type Environment = Readonly<Record<string, string | undefined>>;

export type ModelWishes = {
  /** `-m`: a name, or one with the provider before it, `ollama:qwen3:8b`. */
  readonly flag: string | null;
  /** `keyFiles`: where a provider's key is, if it is in no variable. */
  readonly settings: { readonly model: string | null; readonly keyFiles?: KeyFiles };
  readonly environment: Environment;
};

export type ModelChoice = {
  readonly provider: ProviderKind;
  readonly model: string;
  readonly baseUrl: string;
  readonly credential: Credential | null;
  /** In words: which wish decided. */
  readonly why: string;
};

export type Chosen =
  | { readonly ok: true; readonly choice: ModelChoice }
  | { readonly ok: false; readonly failure: Failure };

/** How each provider is set up, in the order in which they are taken where nothing else decides (SPEC G1). */
const PROVIDERS = {
  gemini: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com',
    names: /^(models\/)?(gemini|gemma)-/,
    wantedModel: 'GEMINI_MODEL',
    model: 'gemini-3.8-flash',
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com',
    names: /^claude-/,
    wantedModel: 'ANTHROPIC_MODEL',
    model: 'claude-sonnet-5-5',
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    address: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    // Open weights have OpenAI's name, too, but live elsewhere.
    names: /^(gpt-(?!oss)|chatgpt-|codex-|o\d(-|$))/,
    wantedModel: 'OPENAI_MODEL',
    // From gpt-5.4 on, OpenAI takes functions over chat completions only where reasoning is switched off.
    model: 'gpt-5.1',
  },
} as const;
export type HostedKind = keyof typeof PROVIDERS;
export const HOSTED: readonly HostedKind[] = ['gemini', 'anthropic', 'openai'];
const WITH_PROVIDER = /^(gemini|anthropic|openai|ollama):(.*)$/s;

/** Which model to ask, and where. Looks for a local one only if nothing that is configured will do. */
export function chooseModel(wishes: ModelWishes, signal: AbortSignal): Promise<Chosen> {
  const wish = wishOf(wishes);
  const environment: Setup = { ...wishes.environment, [KEY_FILES]: wishes.settings.keyFiles ?? {} };
  if (wish === null) return firstConfigured(environment, signal);
  const [, provider, rest] = WITH_PROVIDER.exec(wish.model) ?? [];
  const from: Wanted = { environment, signal, why: wish.why };
  if (provider === 'ollama') return local(rest || null, from);
  if (provider !== undefined && isHosted(provider)) return hosted(provider, rest || null, from);
  return byName(wish.model, from);
}

/** What is configured: variables, and the files that hold keys. */
const KEY_FILES = Symbol('key files');
type Setup = Environment & { readonly [KEY_FILES]: KeyFiles };

type Wanted = { readonly environment: Setup; readonly signal: AbortSignal; readonly why: string };

function wishOf({ flag, settings, environment }: ModelWishes) {
  if (flag) return { model: flag, why: 'it was named with -m' };
  const variable = valueOf(environment, 'COUNTERSIGN_MODEL');
  if (variable !== null) return { model: variable, why: 'COUNTERSIGN_MODEL names it' };
  return settings.model ? { model: settings.model, why: 'the settings name it' } : null;
}

function firstConfigured(environment: Setup, signal: AbortSignal): Promise<Chosen> {
  const kind = firstKind(environment);
  if (kind) return hosted(kind, null, { environment, signal, why: `${setUpBy(kind, environment)} is set` });
  return local(null, { environment, signal, why: 'nothing else is configured' });
}

/** A bare name goes to its maker; one that has no maker, or whose maker is not set up, to whoever may serve it. */
async function byName(model: string, wanted: Wanted): Promise<Chosen> {
  const { environment, signal } = wanted;
  const maker = HOSTED.find((kind) => PROVIDERS[kind].names.test(model));
  if (maker && setUpBy(maker, environment) !== null) return hosted(maker, model, wanted);
  if (valueOf(environment, 'OPENAI_BASE_URL') !== null) return hosted('openai', model, wanted);
  if (maker) return notSetUp(maker, model);
  const found = await ollamaModels(environment['OLLAMA_HOST'], signal);
  const name = found?.find((candidate) => candidate === model || candidate === `${model}:latest`);
  if (name !== undefined) return chosen('ollama', name, wanted);
  const kind = firstKind(environment);
  return kind ? hosted(kind, model, wanted) : local(model, wanted);
}

async function hosted(kind: HostedKind, model: string | null, wanted: Wanted): Promise<Chosen> {
  const { environment, signal } = wanted;
  const { wantedModel, model: usual, address } = PROVIDERS[kind];
  if (setUpBy(kind, environment) === null) return notSetUp(kind, model ?? usual);
  const key = keyOf(kind, environment, environment[KEY_FILES]);
  if (key && !key.ok) return missing(key.problem, key.fix);
  const named = model ?? valueOf(environment, wantedModel);
  if (named !== null) return chosen(kind, named, wanted);
  const baseUrl = valueOf(environment, address);
  if (kind !== 'openai' || baseUrl === null || baseUrl.startsWith('https://api.openai.com')) {
    return chosen(kind, usual, wanted);
  }
  // Who runs a server of their own serves their own models, mostly one.
  const [first] = (await modelsAt(baseUrl, credentialOf(kind, environment), signal)) ?? [];
  if (first !== undefined) return chosen(kind, first, wanted);
  return missing('The server at OPENAI_BASE_URL names no model.', 'Name one with -m or OPENAI_MODEL.');
}

async function local(model: string | null, wanted: Wanted): Promise<Chosen> {
  const { environment, signal } = wanted;
  const found = await ollamaModels(environment['OLLAMA_HOST'], signal);
  if (found === null) {
    const problem =
      model === null
        ? 'No model is configured.'
        : `No provider of the model "${model}" is configured, and no Ollama runs at ${ollamaBaseUrl(environment['OLLAMA_HOST'])}.`;
    return missing(problem, `Set ${allKeys()}, or start Ollama with a model.`);
  }
  if (model !== null) return chosen('ollama', model, wanted);
  const [first] = found;
  return first === undefined
    ? missing('Ollama runs, but has no model.', `Pull one with "ollama pull", or set ${allKeys()}.`)
    : chosen('ollama', first, wanted);
}

function chosen(provider: ProviderKind, model: string, { environment, why }: Wanted): Chosen {
  if (provider === 'ollama') {
    const baseUrl = `${ollamaBaseUrl(environment['OLLAMA_HOST'])}/v1`;
    return { ok: true, choice: { provider, model, baseUrl, credential: null, why } };
  }
  const baseUrl = valueOf(environment, PROVIDERS[provider].address) ?? PROVIDERS[provider].baseUrl;
  return {
    ok: true,
    choice: { provider, model, baseUrl, credential: credentialOf(provider, environment), why },
  };
}

/** An address alone says less than a key: it may have been set for another program. */
const firstKind = (environment: Setup): HostedKind | undefined =>
  HOSTED.find((kind) => keyOf(kind, environment, environment[KEY_FILES]) !== null) ??
  HOSTED.find((kind) => setUpBy(kind, environment) !== null);

/** The variable by which a provider is set up: a key, or the address of a server that wants none. */
const setUpBy = (kind: HostedKind, environment: Setup): string | null =>
  keyVariable(kind, environment) ??
  (environment[KEY_FILES][kind] ? fileVariable(kind) : null) ??
  (valueOf(environment, PROVIDERS[kind].address) === null ? null : PROVIDERS[kind].address);

const keyVariable = (kind: HostedKind, environment: Environment): string | null =>
  PROVIDERS[kind].keys.find((name) => valueOf(environment, name) !== null) ?? null;

/** What a key file is called where it is named, by whatever means. */
const fileVariable = (kind: HostedKind): string => `${PROVIDERS[kind].keys[0]}_FILE`;

function credentialOf(kind: HostedKind, environment: Setup): Credential | null {
  const key = keyOf(kind, environment, environment[KEY_FILES]);
  return key?.ok ? key.credential : null;
}

export type FoundKey =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly problem: string; readonly fix: string };

/** The key of a provider: from a variable, else from the file that is named for it; null if there is neither. */
export function keyOf(kind: HostedKind, environment: Environment, files: KeyFiles): FoundKey | null {
  const variable = keyVariable(kind, environment);
  if (variable !== null)
    return { ok: true, credential: { value: valueOf(environment, variable) ?? '', from: variable } };
  const path = files[kind] ?? null;
  if (path === null) return null;
  const read = readKeyFile(path);
  return read.ok ? { ok: true, credential: { value: read.value, from: fileVariable(kind) } } : read;
}

/** Blanks around a value come from copying it; an empty one means that there is none. */
const valueOf = (environment: Environment, name: string): string | null => environment[name]?.trim() || null;

const isHosted = (name: string): name is HostedKind => Object.hasOwn(PROVIDERS, name);

const allKeys = () => HOSTED.map((kind) => PROVIDERS[kind].keys[0]).join(' or ');

const notSetUp = (kind: HostedKind, model: string): Chosen =>
  missing(
    `The model "${model}" needs a key.`,
    `Set ${PROVIDERS[kind].keys[0]}, or choose another model with -m.`,
  );

const missing = (problem: string, fix: string): Chosen => ({
  ok: false,
  failure: { code: 'model_not_configured', problem, fix },
});
