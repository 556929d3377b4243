import type { HostedKind } from '@countersign/models';
import { APPROVAL_MODES, type ApprovalMode, type JsonObject } from '@countersign/protocol';
import type { SandboxMode } from '@countersign/sandbox';
import { EDITORS, type EditorName } from '@countersign/tools';
import { MODE_SPELLINGS } from '../options/options.js';
import {
  absolutePath,
  anObject,
  fileNames,
  httpAddress,
  type Kind,
  listOf,
  oneOf,
  text,
  texts,
} from './kinds.js';

/** The definition of one key of a settings file. */
export type Setting<T> = {
  readonly kind: Kind<T>;
  readonly byDefault: T;
  /** The environment variable that sets it. */
  readonly variable: string | null;
  /**
   * Whether an untrusted project may set this value, instead of `inForce`. It may not run programs,
   * reduce confinement or reduce questions.
   */
  readonly isHarmless: (value: T, inForce: T) => boolean;
};

const NEVER = () => false;
const ALWAYS = () => true;

const setting = <T>(
  kind: Kind<T>,
  byDefault: T,
  variable: string | null,
  isHarmless: Setting<T>['isHarmless'],
): Setting<T> => ({ kind, byDefault, variable, isHarmless });

/** A higher number confines or asks more; of equal numbers none is stricter. */
const onlyStricter =
  <T extends string>(strictness: { readonly [V in T]: number }): Setting<T>['isHarmless'] =>
  (value, inForce) =>
    value === inForce || strictness[value] > strictness[inForce];

const SANDBOX_STRICTNESS = { off: 0, on: 1, required: 2 } as const;
const MODE_STRICTNESS = { yolo: 0, auto_edit: 1, manual: 2, plan: 3, confirm_always: 3 } as const;

const sandboxMode = oneOf<SandboxMode>(['off', 'on', 'required']);
const approvalMode = oneOf<ApprovalMode>(APPROVAL_MODES, MODE_SPELLINGS);
const editor: Kind<EditorName | null> = oneOf(EDITORS);
const hostedKind = oneOf<HostedKind>(['gemini', 'anthropic', 'openai']);
const hostedKinds = listOf(hostedKind, 'a list of "gemini", "anthropic" and "openai"');
const nothing: JsonObject = {};

/** Every key: a new one needs a line here, and code that reads it. */
const TABLE = {
  hooks: setting(anObject, nothing, null, NEVER),
  hooksConfig: setting(anObject, nothing, null, NEVER),
  mcpServers: setting(anObject, nothing, null, NEVER),
  toolDiscoveryCommand: setting<string | null>(text, null, null, NEVER),
  toolCallCommand: setting<string | null>(text, null, null, NEVER),
  sandbox: setting(sandboxMode, 'on', 'COUNTERSIGN_SANDBOX', onlyStricter(SANDBOX_STRICTNESS)),
  sandboxWritable: setting(texts, [], null, NEVER),
  passEnvironment: setting(texts, [], 'COUNTERSIGN_PASS_ENV', NEVER),
  editor: setting(editor, null, 'COUNTERSIGN_EDITOR', NEVER),
  approvalMode: setting(approvalMode, 'manual', 'COUNTERSIGN_MODE', onlyStricter(MODE_STRICTNESS)),
  model: setting<string | null>(text, null, 'COUNTERSIGN_MODEL', ALWAYS),
  contextFileName: setting<readonly string[] | null>(fileNames, null, null, ALWAYS),
  geminiApiKeyFile: setting<string | null>(absolutePath, null, 'GEMINI_API_KEY_FILE', NEVER),
  anthropicApiKeyFile: setting<string | null>(absolutePath, null, 'ANTHROPIC_API_KEY_FILE', NEVER),
  openaiApiKeyFile: setting<string | null>(absolutePath, null, 'OPENAI_API_KEY_FILE', NEVER),
  apiKeysInKeyring: setting(hostedKinds, [], 'COUNTERSIGN_KEYRING', NEVER),
  searxngUrl: setting<string | null>(httpAddress, null, 'COUNTERSIGN_SEARXNG_URL', NEVER),
};

export type SettingKey = keyof typeof TABLE;
export type SettingValues = {
  readonly [K in SettingKey]: (typeof TABLE)[K] extends Setting<infer T> ? T : never;
};
export const SETTINGS: { readonly [K in SettingKey]: Setting<SettingValues[K]> } = TABLE;

export const SETTING_KEYS = Object.keys(TABLE).filter(isSettingKey);

export function isSettingKey(name: string): name is SettingKey {
  return Object.hasOwn(TABLE, name);
}
