export {
  type Chosen,
  chooseModel,
  type ModelChoice,
  type ModelWishes,
  type ProviderKind,
} from './choice/choose-model.js';
export {
  HOSTED,
  type HostedKind,
  type KeyFiles,
  type KeyPlaces,
  type Keyring,
  keyOf,
  keySource,
} from './choice/keys.js';
export { openModel } from './choice/open-model.js';
export type { Completion, GeminiProvider } from './gemini/index.js';
export { costOf, factsOf, type ModelFacts, type Price } from './models-known.js';
export * from './provider.js';
export { replayFile, replayProvider } from './replay/replay-provider.js';
export { PATIENCE, type Patience, retrying } from './retrying.js';
export {
  type Script,
  type ScriptedAnswer,
  type ScriptedProvider,
  type ScriptedStep,
  scriptedProvider,
} from './scripted/scripted-provider.js';
