export { chooseModel, type ModelChoice, type ModelWishes } from './choice/choose-model.js';
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
