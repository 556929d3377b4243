import type { HookDefinition } from '../hook/hook.js';
import { type Complain, type Table, takeFrom } from './fields.js';

/** What a settings file switches off. */
export type Switches = {
  readonly everything: boolean;
  /** Hooks by their name, or by their command where they have none. */
  readonly hooks: readonly string[];
};

/** Gemini CLI keeps these in `hooksConfig`, and once kept them among the events. */
export const SWITCH_NAMES: readonly string[] = ['enabled', 'disabled', 'notifications'];

export function readSwitches(hooks: Table, hooksConfig: Table, complain: Complain): Switches {
  const among = Object.fromEntries(Object.entries(hooks).filter(([key]) => SWITCH_NAMES.includes(key)));
  const all = [readFrom(hooksConfig, 'hooksConfig', complain), readFrom(among, 'hooks', complain)];
  return {
    everything: all.some(({ everything }) => everything),
    hooks: all.flatMap((switches) => switches.hooks),
  };
}

function readFrom(table: Table, path: string, complain: Complain): Switches {
  const take = takeFrom(table, path, ['enabled', 'disabled', 'notifications'], complain);
  const enabled = take(
    'enabled',
    (value) => (typeof value === 'boolean' ? value : undefined),
    'true or false',
    'not used',
  );
  return {
    everything: enabled === false,
    hooks: take('disabled', asNames, 'a list of hook names', 'not used') ?? [],
  };
}

function asNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((name) => typeof name === 'string');
  return names.length === value.length ? names : undefined;
}

export const isSwitchedOff = ({ name, command }: HookDefinition, { everything, hooks }: Switches): boolean =>
  everything || hooks.includes(name ?? command);
