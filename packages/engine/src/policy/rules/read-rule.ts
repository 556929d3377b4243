import type { Rule, RuleExample } from '@countersign/kernel';
import type { ApprovalMode, Json, JsonObject, PolicyDecision, Tier } from '@countersign/protocol';
import { TomlDate, type TomlTableWithoutBigInt, type TomlValueWithoutBigInt } from 'smol-toml';
import { type ToolAliases, toolsMeant } from '../../tool/tool-names.js';

/** Something wrong with a policy file, and the line to look at. */
export type Problem = { readonly line: number; readonly problem: string };

/** A rule as written: types checked, spellings made ours, patterns not yet compiled. */
export type RuleDraft = {
  readonly rule: Omit<Rule, 'args' | 'when' | 'command' | 'examples'>;
  readonly argsPattern: string | null;
  readonly when: JsonObject | null;
  readonly command: CommandDraft | null;
  readonly matches: readonly RuleExample[];
  readonly notMatches: readonly RuleExample[];
  readonly lineOf: (key: string) => number;
};
export type CommandDraft =
  | { readonly type: 'prefix' | 'exact'; readonly texts: readonly string[] }
  | { readonly type: 'regex'; readonly source: string };

export type RulePlace = {
  readonly file: string;
  readonly tier: Tier;
  readonly header: number;
  readonly lineOf: (key: string) => number;
  readonly aliases: ToolAliases;
};

export const RULE_KEYS = [
  'name',
  'toolName',
  'mcpName',
  'argsPattern',
  'when',
  'paths',
  'access',
  'commandPrefix',
  'commandExact',
  'commandRegex',
  'decision',
  'priority',
  'modes',
  'interactive',
  'toolAnnotations',
  'allowRedirection',
  'allow_redirection',
  'denyMessage',
  'deny_message',
  'subagent',
  'matches',
  'notMatches',
] as const;
type RuleKey = (typeof RULE_KEYS)[number];

const DECISIONS: ReadonlyMap<unknown, PolicyDecision> = new Map([
  ['allow', 'allow'],
  ['ask_user', 'ask_user'],
  ['ask', 'ask_user'],
  ['deny', 'deny'],
]);

const MODES: ReadonlyMap<unknown, ApprovalMode> = new Map([
  ['plan', 'plan'],
  ['manual', 'manual'],
  ['default', 'manual'],
  ['auto_edit', 'auto_edit'],
  ['autoEdit', 'auto_edit'],
  ['yolo', 'yolo'],
  ['auto', 'yolo'],
  ['confirm_always', 'confirm_always'],
]);

/** As in Gemini CLI, where a thousand would be the next tier. */
const PRIORITY_MAX = 999;

export function readRule(
  table: TomlTableWithoutBigInt,
  place: RulePlace,
):
  | { readonly ok: true; readonly draft: RuleDraft }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const complain = (key: RuleKey, problem: string) => problems.push({ line: place.lineOf(key), problem });

  /** The value of a key, read as what it has to be; null if it is not there or not that. */
  function take<T>(
    key: RuleKey,
    read: (value: TomlValueWithoutBigInt) => T | undefined,
    expected: string,
  ): T | null {
    const value = table[key];
    if (value === undefined) return null;
    const taken = read(value);
    if (taken === undefined) complain(key, `${key} must be ${expected}`);
    return taken ?? null;
  }
  const mustHave = (key: RuleKey, expected: string) => {
    if (table[key] === undefined) complain(key, `the rule has no ${key}; it must be ${expected}`);
  };

  const mcpServer = take('mcpName', asText, 'the name of an MCP server');
  if (mcpServer === null) mustHave('toolName', 'a tool name, a list of names, or "*" for every tool');
  const decision = take('decision', (value) => DECISIONS.get(value), DECISION_EXPECTED);
  mustHave('decision', DECISION_EXPECTED);
  const priority = take('priority', asPriority, PRIORITY_EXPECTED);
  mustHave('priority', PRIORITY_EXPECTED);
  const named = take('toolName', asTexts, 'a tool name or a list of names, none of them empty') ?? ['*'];
  const modes = take('modes', asModes, `a list of modes: ${[...MODES.keys()].join(', ')}`);
  const annotations = take('toolAnnotations', asObject, 'a table of plain values');
  const { argsPattern, command } = takeConditions(take);
  const conditions = CONDITION_KEYS.filter((key) => table[key] !== undefined);
  const [first, second] = conditions;
  if (first && second) complain(second, `${first} and ${second} cannot be used in one rule`);
  const isAboutCommands = conditions.some((key) => key !== 'argsPattern');
  const examples: (value: TomlValueWithoutBigInt) => readonly RuleExample[] | undefined = isAboutCommands
    ? asCommandLines
    : asArguments;
  const expected = isAboutCommands ? 'a list of command lines' : 'a list of inline tables with arguments';
  const matches = take('matches', examples, expected) ?? [];
  const notMatches = take('notMatches', examples, expected) ?? [];
  const rule = {
    // On a server a tool has the one name that the server gives it.
    tools: mcpServer === null ? toolsMeant(named, decision, place.aliases) : named,
    mcpServer,
    annotations: annotations !== null && Object.keys(annotations).length > 0 ? annotations : null,
    // An empty list means every mode, as in Gemini CLI.
    modes: modes !== null && modes.length > 0 ? modes : null,
    interactive: take('interactive', asFlag, 'true or false'),
    subagent: take('subagent', asText, 'the name of an agent'),
    allowRedirection:
      take('allowRedirection', asFlag, 'true or false') ??
      take('allow_redirection', asFlag, 'true or false') ??
      false,
    denyMessage: take('denyMessage', asString, 'a text') ?? take('deny_message', asString, 'a text'),
  };
  const when = take('when', asObject, WHEN_EXPECTED);
  const patterns = take('paths', asTexts, 'a path, a pattern such as "src/**", or a list of such');
  const unusable = patterns?.find((pattern) => /^~|(?:^|\/)\.\.(?:\/|$)|\\/.test(pattern));
  if (unusable !== undefined)
    complain('paths', `the pattern "${unusable}" cannot be used: write it from the workspace or from /`);
  const access = take('access', (value) => ACCESS.get(value), '"read" or "write"');
  if (access !== null && patterns === null)
    complain('access', 'access is about paths, and the rule has none');
  if (patterns !== null && matches.length + notMatches.length > 0)
    complain(
      'matches',
      'examples cannot be used with paths: which files a call touches depends on the workspace',
    );
  const paths = patterns === null ? null : { patterns, access: access ?? ('any' as const) };
  const name = take('name', asString, 'a text');

  if (problems.length > 0 || decision === null || priority === null) return { ok: false, problems };
  const { file, tier, header: line, lineOf } = place;
  const ref = { name, tier, priority, file, line };
  return {
    ok: true,
    draft: {
      rule: { ref, decision, ...rule, ...(paths && { paths }) },
      argsPattern,
      when,
      command,
      matches,
      notMatches,
      lineOf,
    },
  };
}

const ACCESS: ReadonlyMap<unknown, 'read' | 'write'> = new Map([
  ['read', 'read'],
  ['write', 'write'],
]);
const WHEN_EXPECTED = 'a table of arguments, as in when.amount = { gt = 100 }';
const DECISION_EXPECTED = '"allow", "ask_user" or "deny"';
const PRIORITY_EXPECTED = `a whole number from 0 to ${PRIORITY_MAX}`;
const CONDITION_KEYS = ['argsPattern', 'commandPrefix', 'commandExact', 'commandRegex'] as const;

type Take = <T>(
  key: RuleKey,
  read: (value: TomlValueWithoutBigInt) => T | undefined,
  expected: string,
) => T | null;

function takeConditions(take: Take): Pick<RuleDraft, 'argsPattern' | 'command'> {
  const argsPattern = take('argsPattern', asText, 'a regular expression');
  const prefix = take(
    'commandPrefix',
    asTexts,
    'the beginning of a command or a list of such, none of them empty',
  );
  const exact = take('commandExact', asTexts, 'a command or a list of commands, none of them empty');
  const source = take('commandRegex', asText, 'a regular expression');
  if (prefix !== null) return { argsPattern, command: { type: 'prefix', texts: prefix } };
  if (exact !== null) return { argsPattern, command: { type: 'exact', texts: exact } };
  return { argsPattern, command: source === null ? null : { type: 'regex', source } };
}

const asText = (value: TomlValueWithoutBigInt): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const asString = (value: TomlValueWithoutBigInt): string | undefined =>
  typeof value === 'string' ? value : undefined;

const asFlag = (value: TomlValueWithoutBigInt): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;

const asPriority = (value: TomlValueWithoutBigInt): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= PRIORITY_MAX
    ? value
    : undefined;

function asTexts(value: TomlValueWithoutBigInt): readonly string[] | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' && value !== '' ? [value] : undefined;
  return value.length > 0 ? listOf(value, asText) : undefined;
}

const asModes = (value: TomlValueWithoutBigInt): readonly ApprovalMode[] | undefined =>
  Array.isArray(value) ? listOf(value, (mode) => MODES.get(mode)) : undefined;

const asCommandLines = (value: TomlValueWithoutBigInt): readonly string[] | undefined =>
  Array.isArray(value) ? listOf(value, asText) : undefined;

const asArguments = (value: TomlValueWithoutBigInt): readonly JsonObject[] | undefined =>
  Array.isArray(value) ? listOf(value, asObject) : undefined;

function asObject(value: TomlValueWithoutBigInt): JsonObject | undefined {
  const json = asJson(value);
  return typeof json === 'object' && json !== null && !isList(json) ? json : undefined;
}

/** Plain data, or nothing: a date or an infinity is no value that an argument can have. */
function asJson(value: TomlValueWithoutBigInt): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return listOf(value, asJson);
  if (!isTable(value)) return undefined;
  const entries = Object.entries(value).map(([key, member]) => [key, asJson(member)] as const);
  const plain = entries.flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const]));
  return plain.length === entries.length ? Object.fromEntries(plain) : undefined;
}

/** All of a list read, or nothing. */
function listOf<T>(
  values: readonly TomlValueWithoutBigInt[],
  read: (value: TomlValueWithoutBigInt) => T | undefined,
): T[] | undefined {
  const taken = values.flatMap((value) => {
    const one = read(value);
    return one === undefined ? [] : [one];
  });
  return taken.length === values.length ? taken : undefined;
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json);

export const isTable = (value: TomlValueWithoutBigInt | undefined): value is TomlTableWithoutBigInt =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
