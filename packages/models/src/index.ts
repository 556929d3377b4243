/**
 * Model providers: Gemini, Anthropic, OpenAI-compatible servers, Ollama, and scripted and recorded ones for tests.
 *
 * What enters: a conversation, tool declarations and a model's name. What leaves: a stream of text, thoughts and calls that ends with one
 * reason, or a failure as data.
 *
 * What holds: every provider gives the same events in the same order; what a provider sends is bounded and checked; a retry happens only
 * while nothing of an answer was shown; keys come from the environment, the keyring or a file that only the user can read.
 */
export { chooseModel, type ModelChoice, type ModelPreferences } from './choice/choose-model.js';
export { HOSTED, type HostedKind, type KeyFiles, type KeyPlaces, keyOf, keySource } from './choice/keys.js';
export { openModel } from './choice/open-model.js';
export { costOf, factsOf } from './models-known.js';
export * from './provider.js';
export { replayFile } from './replay/replay-provider.js';
export { retrying } from './retrying.js';
export {
  type Script,
  type ScriptedAnswer,
  type ScriptedProvider,
  type ScriptedStep,
  scriptedProvider,
} from './scripted/scripted-provider.js';
export { countedUsage, soundUsage } from './translation/count-usage.js';
