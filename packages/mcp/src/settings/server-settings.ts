import { type HostEnvironment, isJsonObject } from '@countersign/host';
import type { Json, JsonObject } from '@countersign/protocol';
import * as z from 'zod';
import { expandVariables } from './expand-variables.js';

/** How a server is reached. */
export type ServerTarget =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: { readonly [name: string]: string };
      /** null: the workspace. */
      readonly cwd: string | null;
    }
  | {
      /** `detect`: streamable HTTP, and if the server knows nothing of that, SSE. */
      readonly transport: 'http' | 'sse' | 'detect';
      readonly url: URL;
      readonly headers: { readonly [name: string]: string };
    };

/** One entry of `mcpServers`, checked and with variables put in. */
export type ServerSettings = {
  readonly target: ServerTarget;
  /** How long a call may go without an answer or progress; null: as for all. */
  readonly timeoutMs: number | null;
  /** Its tools ask no question, and are believed when they say that they only read. */
  readonly trust: boolean;
  /** null: all of its tools. */
  readonly includeTools: readonly string[] | null;
  /** Wins over `includeTools`. */
  readonly excludeTools: readonly string[];
  readonly description: string;
};

/** `notes`: what was not as expected and did not keep the rest from being used. */
export type ReadSettings = { readonly notes: readonly string[] } & (
  | { readonly ok: true; readonly settings: ServerSettings }
  | { readonly ok: false; readonly problem: string }
);

const TIMEOUT_MS_MAX = 2 ** 31 - 1; // timers take no more

const texts = z.record(z.string(), z.string());
const KEYS = {
  command: z.string().min(1),
  args: z.array(z.string()),
  env: texts,
  cwd: z.string().min(1),
  url: z.string().min(1),
  httpUrl: z.string().min(1),
  type: z.enum(['stdio', 'http', 'sse']),
  headers: texts,
  timeout: z.int().positive().max(TIMEOUT_MS_MAX),
  trust: z.boolean(),
  includeTools: z.array(z.string()),
  excludeTools: z.array(z.string()),
  description: z.string(),
};
const Entry = z.looseObject(KEYS).partial();
type Entry = z.output<typeof Entry>;

/** Reads one entry of `mcpServers`. */
export function readServerSettings(entry: Json, env: HostEnvironment): ReadSettings {
  const notes: string[] = [];
  if (!isJsonObject(entry)) return { ok: false, problem: 'its settings are not an object', notes };
  for (const key of Object.keys(entry)) if (!Object.hasOwn(KEYS, key)) notes.push(unknownKey(key));
  const unset = new Set<string>();
  const parsed = Entry.safeParse(withVariables(entry, env, (name) => unset.add(name)));
  for (const name of unset) notes.push(`the variable ${name} is not set and was not replaced`);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, problem: `its setting "${issue?.path.join('.')}": ${issue?.message}`, notes };
  }
  const target = targetOf(parsed.data);
  if (typeof target === 'string') return { ok: false, problem: target, notes };
  const { timeout, trust, includeTools, excludeTools, description } = parsed.data;
  const settings: ServerSettings = {
    target,
    timeoutMs: timeout ?? null,
    trust: trust ?? false,
    includeTools: includeTools ?? null,
    excludeTools: excludeTools ?? [],
    description: description ?? '',
  };
  return { ok: true, settings, notes };
}

const NOT_BUILT: readonly string[] = [
  'oauth',
  'authProviderType',
  'targetAudience',
  'targetServiceAccount',
  'tcp',
];

const unknownKey = (key: string): string =>
  NOT_BUILT.includes(key)
    ? `its setting "${key}" is not supported and has no effect`
    : `its setting "${key}" is unknown and has no effect`;

/** The target, or what is wrong with the settings of it. */
function targetOf(entry: Entry): ServerTarget | string {
  const { command, url, httpUrl, type, args, env, cwd, headers } = entry;
  const ways = [command, url, httpUrl].filter((way) => way !== undefined);
  if (ways.length === 0) return 'it has neither "command" nor "url" nor "httpUrl"';
  if (ways.length > 1) return 'it has more than one of "command", "url" and "httpUrl"';
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      return `it has a "command", which does not match type "${type}"`;
    return { transport: 'stdio', command, args: args ?? [], env: env ?? {}, cwd: cwd ?? null };
  }
  const transport = httpUrl === undefined ? (type ?? 'detect') : 'http';
  if (transport === 'stdio') return 'its type is "stdio", which needs a "command"';
  const given = httpUrl ?? url ?? '';
  const address = URL.canParse(given) ? new URL(given) : null;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    return `"${given}" is not an http or https URL`;
  return { transport, url: address, headers: headers ?? {} };
}

/** Keys are names and stay as they are. */
function withVariables(entry: JsonObject, env: HostEnvironment, unset: (name: string) => void): JsonObject {
  const put = (value: Json): Json => {
    if (typeof value === 'string') return expandVariables(value, env, unset);
    if (isList(value)) return value.map(put);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, put(each)]));
  };
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, WITH_VARIABLES.includes(key) ? put(value) : value]),
  );
}

const WITH_VARIABLES: readonly string[] = ['command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'headers'];
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
