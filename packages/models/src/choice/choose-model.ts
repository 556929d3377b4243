import type { Failure } from '@countersign/protocol';
import type { Credential } from '../http/call.js';
import {
  type Environment,
  HOSTED,
  type HostedKind,
  KEY_VARIABLES,
  type KeyFiles,
  type KeyPlaces,
  type Keyring,
  keyOf,
  keySource,
  sourceInWords,
  valueOf,
} from './keys.js';
import { modelsAt, ollamaBaseUrl, ollamaModels } from './local-models.js';

export type ProviderKind = HostedKind | 'ollama';

export type ModelPreferences = {
  /** `-m`: a name, or one with the provider before it, `ollama:qwen3:8b`. */
  readonly flag: string | null;
  /** `keyFiles`, `keyring`: where a provider's key is, if it is in no variable. */
  readonly settings: {
    readonly model: string | null;
    readonly keyFiles?: KeyFiles;
    readonly keyring?: Keyring;
  };
  readonly environment: Environment;
  /** 'to name it': the keyring, which may ask a person for a password, is left alone. */
  readonly purpose?: 'to use it' | 'to name it';
};

export type ModelChoice = {
  readonly provider: ProviderKind;
  readonly model: string;
  readonly baseUrl: string;
  readonly credential: Credential | null;
  /** In words: which setting decided. */
  readonly why: string;
};

export type Chosen =
  | { readonly ok: true; readonly choice: ModelChoice }
  | { readonly ok: false; readonly failure: Failure };

/** How each provider is set up, besides its key. */
const PROVIDERS = {
  gemini: {
    address: 'GOOGLE_GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com',
    names: /^(models\/)?(gemini|gemma)-/,
    wantedModel: 'GEMINI_MODEL',
    model: 'gemini-3.8-flash',
  },
  anthropic: {
    address: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com',
    names: /^claude-/,
    wantedModel: 'ANTHROPIC_MODEL',
    model: 'claude-sonnet-5-5',
  },
  openai: {
    address: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    // Open weights have OpenAI's name, too, but live elsewhere.
    names: /^(gpt-(?!oss)|chatgpt-|codex-|o\d(-|$))/,
    wantedModel: 'OPENAI_MODEL',
    // From gpt-5.4 on, OpenAI takes functions over chat completions only where reasoning is switched off.
    model: 'gpt-5.1',
  },
} as const;
/** What looks like a provider and is none. OpenAI's fine-tuned models begin with `ft:`. */
const OTHER_PREFIX = /^(?!ft:)([\w.-]+):/;
const WITH_PROVIDER = /^(gemini|anthropic|openai|ollama):(.*)$/s;

/** Which model to ask, and where. Looks for a local one only if nothing that is configured will do. */
export function chooseModel(preferences: ModelPreferences, signal: AbortSignal): Promise<Chosen> {
  const preferred = preferredModel(preferences);
  const { environment, purpose = 'to use it' } = preferences;
  const { keyFiles: files, keyring } = preferences.settings;
  const setup: Setup = { environment, files, keyring, purpose };
  if (preferred === null) return firstConfigured(setup, signal);
  const [, provider, rest] = WITH_PROVIDER.exec(preferred.model) ?? [];
  const from: Wanted = { setup, signal, why: preferred.why };
  if (provider === 'ollama') return local(rest || null, from);
  if (provider !== undefined && isHosted(provider)) return hosted(provider, rest || null, from);
  return byName(preferred.model, from);
}

/** What is configured. */
type Setup = KeyPlaces & { readonly purpose: NonNullable<ModelPreferences['purpose']> };

type Wanted = { readonly setup: Setup; readonly signal: AbortSignal; readonly why: string };

function preferredModel({ flag, settings, environment }: ModelPreferences) {
  if (flag) return { model: flag, why: 'it was given with -m' };
  const variable = valueOf(environment, 'COUNTERSIGN_MODEL');
  if (variable !== null) return { model: variable, why: 'it is set in COUNTERSIGN_MODEL' };
  return settings.model ? { model: settings.model, why: 'it is set in the settings' } : null;
}

function firstConfigured(setup: Setup, signal: AbortSignal): Promise<Chosen> {
  const kind = firstKind(setup);
  if (kind) return hosted(kind, null, { setup, signal, why: setUpBy(kind, setup) ?? '' });
  return local(null, { setup, signal, why: 'nothing else is configured' });
}

/** A bare name goes to its maker; one that has no maker, or whose maker is not configured, to a provider that may serve it. */
async function byName(model: string, wanted: Wanted): Promise<Chosen> {
  const { setup, signal } = wanted;
  const { environment } = setup;
  const maker = HOSTED.find((kind) => PROVIDERS[kind].names.test(model));
  if (maker && setUpBy(maker, setup) !== null) return hosted(maker, model, wanted);
  if (valueOf(environment, 'OPENAI_BASE_URL') !== null) return hosted('openai', model, wanted);
  if (maker) return notSetUp(maker, model);
  const found = await ollamaModels(environment['OLLAMA_HOST'], signal);
  const name = found?.find((candidate) => candidate === model || candidate === `${model}:latest`);
  if (name !== undefined) return chosen('ollama', name, wanted, null);
  const kind = firstKind(setup);
  const [, prefix] = OTHER_PREFIX.exec(model) ?? [];
  if (prefix !== undefined && (kind || found !== null))
    return missing(
      `"${prefix}" is not a provider, and Ollama has no model "${model}".`,
      'The providers are gemini, anthropic, openai and ollama, as in -m gemini:NAME.',
    );
  return kind ? hosted(kind, model, wanted) : local(model, wanted);
}

async function hosted(kind: HostedKind, model: string | null, wanted: Wanted): Promise<Chosen> {
  const { setup, signal } = wanted;
  const { environment, purpose } = setup;
  const { wantedModel, model: usual, address } = PROVIDERS[kind];
  if (setUpBy(kind, setup) === null) return notSetUp(kind, model ?? usual);
  const isLeftAlone = purpose === 'to name it' && keySource(kind, setup)?.type === 'keyring';
  const key = isLeftAlone ? null : await keyOf(kind, setup, signal);
  if (key && !key.ok) return missing(key.problem, key.fix);
  const credential = key?.credential ?? null;
  const named = model ?? valueOf(environment, wantedModel);
  if (named !== null) return chosen(kind, named, wanted, credential);
  const baseUrl = valueOf(environment, address);
  if (kind !== 'openai' || baseUrl === null || baseUrl.startsWith('https://api.openai.com')) {
    return chosen(kind, usual, wanted, credential);
  }
  // A server of the user's own serves its own models, mostly one.
  const [first] = (await modelsAt(baseUrl, credential, signal)) ?? [];
  if (first !== undefined) return chosen(kind, first, wanted, credential);
  return missing('The server at OPENAI_BASE_URL lists no model.', 'Name one with -m or OPENAI_MODEL.');
}

async function local(model: string | null, wanted: Wanted): Promise<Chosen> {
  const { signal } = wanted;
  const { environment } = wanted.setup;
  const found = await ollamaModels(environment['OLLAMA_HOST'], signal);
  if (found === null) {
    const problem =
      model === null
        ? 'No model is configured.'
        : `No provider of the model "${model}" is configured, and Ollama is not running at ${ollamaBaseUrl(environment['OLLAMA_HOST'])}.`;
    return missing(problem, `Set ${allKeys()}, or start Ollama with a model.`);
  }
  if (model !== null) return chosen('ollama', model, wanted, null);
  const [first] = found;
  return first === undefined
    ? missing('Ollama is running, but has no model.', `Pull one with "ollama pull", or set ${allKeys()}.`)
    : chosen('ollama', first, wanted, null);
}

function chosen(
  provider: ProviderKind,
  model: string,
  { setup: { environment }, why }: Wanted,
  credential: Credential | null,
): Chosen {
  const baseUrl =
    provider === 'ollama'
      ? `${ollamaBaseUrl(environment['OLLAMA_HOST'])}/v1`
      : (valueOf(environment, PROVIDERS[provider].address) ?? PROVIDERS[provider].baseUrl);
  return { ok: true, choice: { provider, model, baseUrl, credential, why } };
}

/** An address alone says less than a key: it may have been set for another program. */
const firstKind = (setup: Setup): HostedKind | undefined =>
  HOSTED.find((kind) => keySource(kind, setup) !== null) ??
  HOSTED.find((kind) => setUpBy(kind, setup) !== null);

/** What sets a provider up, as a clause: a key, or the address of a server that wants none. */
function setUpBy(kind: HostedKind, setup: Setup): string | null {
  const source = keySource(kind, setup);
  if (source !== null) return sourceInWords(source);
  const { address } = PROVIDERS[kind];
  return valueOf(setup.environment, address) === null ? null : `${address} is set`;
}

const isHosted = (name: string): name is HostedKind => Object.hasOwn(PROVIDERS, name);

const allKeys = () => HOSTED.map((kind) => KEY_VARIABLES[kind][0]).join(' or ');

const notSetUp = (kind: HostedKind, model: string): Chosen =>
  missing(
    `The model "${model}" needs a key.`,
    `Set ${KEY_VARIABLES[kind][0]}, or choose another model with -m.`,
  );

const missing = (problem: string, fix: string): Chosen => ({
  ok: false,
  failure: { code: 'model_not_configured', problem, fix },
});
