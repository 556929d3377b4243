import { EVENTS, type HookEvent, isHookEvent } from '../hook/events.js';
import type { HookDefinition, HookSource } from '../hook/hook.js';
import { type Complain, type HookProblem, isTable, type Table, takeFrom } from './fields.js';
import { compileMatcher } from './matcher.js';
import { isSwitchedOff, readSwitches, SWITCH_NAMES, type Switches } from './switches.js';

export type HooksRead = {
  readonly source: HookSource;
  readonly hooks: readonly HookDefinition[];
  /** The reader of the settings shows these. An omitted hook is a missing guard: do not continue without it. */
  readonly problems: readonly HookProblem[];
  /** What the file switches off, also of other files: see `hooksInForce`. */
  readonly switches: Switches;
};

/** As in Gemini CLI. */
const TIMEOUT_MS = 60_000;
const TIMEOUT_MS_MAX = 2_147_483_647; // more than a timer can hold means "at once" to it

/** Reads the hooks of one settings file, in Gemini CLI's format with our `onFailure` and `output` added. */
export async function readHooks(settings: unknown, source: HookSource, file: string): Promise<HooksRead> {
  const problems: HookProblem[] = [];
  const complain: Complain = (path, problem, effect) => problems.push({ path, problem, effect });
  const table = tableOf(settings, '', complain);
  const byEvent = tableOf(table['hooks'], 'hooks', complain);
  const switches = readSwitches(byEvent, tableOf(table['hooksConfig'], 'hooksConfig', complain), complain);
  const hooks: HookDefinition[] = [];
  for (const [event, groups] of Object.entries(byEvent)) {
    if (SWITCH_NAMES.includes(event)) continue;
    const path = `hooks.${event}`;
    if (!isHookEvent(event)) {
      complain(path, `there is no such event; the events are ${Object.keys(EVENTS).join(', ')}`, 'omitted');
    } else if (!Array.isArray(groups)) {
      complain(path, 'it must be a list of groups of hooks', 'omitted');
    } else {
      for (const [index, group] of groups.entries()) {
        const place = { event, source, file, path: `${path}[${index}]` };
        hooks.push(...(await readGroup(group, place, complain)));
      }
    }
  }
  return { source, hooks: hooks.filter((hook) => !isSwitchedOff(hook, switches)), problems, switches };
}

type Place = Pick<HookDefinition, 'source' | 'file' | 'path'> & { readonly event: HookEvent };

async function readGroup(group: unknown, place: Place, complain: Complain): Promise<HookDefinition[]> {
  const { event, path } = place;
  if (!isTable(group) || !Array.isArray(group['hooks'])) {
    complain(path, 'it must be an object with a list of "hooks"', 'omitted');
    return [];
  }
  const take = takeFrom(group, path, ['matcher', 'sequential', 'hooks'], complain);
  const sequential = take('sequential', asFlag, 'true or false', 'not used') ?? false;
  const source = take('matcher', asString, 'a string', 'omitted');
  if (source === null && isThere(group['matcher'])) return [];
  const compiled = await compileMatcher(event, source ?? '');
  if (!compiled.ok) {
    complain(`${path}.matcher`, compiled.problem, 'omitted');
    return [];
  }
  if (compiled.remark !== null) complain(`${path}.matcher`, compiled.remark, 'not used');
  const hooks: readonly unknown[] = group['hooks'];
  return hooks.flatMap((hook, index) => {
    const at = { ...place, path: `${path}.hooks[${index}]` };
    const read = readHook(hook, at.path, complain);
    return read === null ? [] : [{ ...at, matcher: compiled.matcher, sequential, ...read }];
  });
}

type OwnFields = Omit<HookDefinition, keyof Place | 'matcher' | 'sequential'>;

function readHook(hook: unknown, path: string, complain: Complain): OwnFields | null {
  if (!isTable(hook)) {
    complain(path, 'it must be an object with "type" and "command"', 'omitted');
    return null;
  }
  const take = takeFrom(hook, path, HOOK_KEYS, complain);
  const mustHave = (key: (typeof HOOK_KEYS)[number], expected: string) => {
    if (!isThere(hook[key])) complain(path, `it has no "${key}"; it must be ${expected}`, 'omitted');
  };
  mustHave('type', '"command"');
  mustHave('command', 'a shell command');
  const type = take('type', (value) => (value === 'command' ? value : undefined), '"command"', 'omitted');
  const command = take('command', asCommand, 'a shell command', 'omitted');
  const env = take('env', asEnvironment, 'an object with string values', 'omitted');
  const rest = {
    name: take('name', asText, 'a text', 'not used'),
    description: take('description', asString, 'a text', 'not used'),
    timeoutMs: take('timeout', asTimeout, TIMEOUT_EXPECTED, 'not used') ?? TIMEOUT_MS,
    onFailure: take('onFailure', asOnFailure, '"deny" or "ignore"', 'not used') ?? 'deny',
    output: take('output', asOutput, '"json"', 'not used'),
  };
  if (type === null || command === null || (env === null && isThere(hook['env']))) return null;
  return { ...rest, command, env: env ?? {} };
}

const HOOK_KEYS = [
  'type',
  'command',
  'name',
  'description',
  'timeout',
  'env',
  'onFailure',
  'output',
] as const;
const TIMEOUT_EXPECTED = `a number of milliseconds from 1 to ${TIMEOUT_MS_MAX}`;

function tableOf(value: unknown, path: string, complain: Complain): Table {
  if (isTable(value)) return value;
  if (isThere(value)) complain(path, 'it must be an object', 'omitted');
  return {};
}

const isThere = (value: unknown) => value !== undefined && value !== null;

const asString = (value: unknown) => (typeof value === 'string' ? value : undefined);
const asText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
const asFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const asOnFailure = (value: unknown): HookDefinition['onFailure'] | undefined =>
  value === 'deny' || value === 'ignore' ? value : undefined;
const asOutput = (value: unknown): HookDefinition['output'] | undefined =>
  value === 'json' ? value : undefined;

/** The system ends a text at the first NUL. */
const asCommand = (value: unknown) => (asText(value)?.includes('\0') === false ? asText(value) : undefined);

const asTimeout = (value: unknown) =>
  typeof value === 'number' && value >= 1 && value <= TIMEOUT_MS_MAX ? value : undefined;

/** By this variable the processes of a hook are found again; a hook may not disown them. */
const OURS = 'COUNTERSIGN_CALL';

function asEnvironment(value: unknown): HookDefinition['env'] | undefined {
  if (!isTable(value)) return undefined;
  const entries = Object.entries(value);
  const isUsable = entries.every(
    ([name, text]) =>
      /^[^=\0]+$/.test(name) &&
      name !== OURS &&
      ['string', 'number', 'boolean'].includes(typeof text) &&
      !String(text).includes('\0'),
  );
  return isUsable ? Object.fromEntries(entries.map(([name, text]) => [name, String(text)])) : undefined;
}
