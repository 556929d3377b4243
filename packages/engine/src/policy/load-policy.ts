import { readFile } from 'node:fs/promises';
import { compilePolicy, type Policy, type Rule } from '@countersign/kernel';
import { canonicalJson, type FailureOf, type RuleRef, type Tier } from '@countersign/protocol';
import { parse, TomlError, type TomlTableWithoutBigInt } from 'smol-toml';
import { nearest } from '../tool/nearest.js';
import { NO_ALIASES, type ToolAliases } from '../tool/tool-names.js';
import { sha256 } from '../values/hash.js';
import { type BuiltRule, buildRule, compileRule, type Remark } from './rules/build-rule.js';
import { doubtsAbout } from './rules/never-matches.js';
import { isTable, RULE_KEYS, type RuleDraft, type RulePlace, readRule } from './rules/read-rule.js';
import { type TriedExample, tryExamples } from './rules/rule-examples.js';
import { type TomlLines, tomlLines } from './toml-lines.js';

/** Where rules come from. `text` is given for rules that are not in a file, such as the shipped ones. */
export type PolicySource = { readonly file: string; readonly tier: Tier; readonly text?: string };

/** A remark about a policy that loaded. */
export type PolicyNotice = Remark & { readonly file: string };

export type KnownTools = {
  /** Names of all tools there are; a rule about another one is reported. */
  readonly knownTools?: readonly string[];
  /** What else tools are called: a rule by such a name is one for every tool that answers to it. */
  readonly aliases?: ToolAliases;
};

/** Receives the result of every example; without it, a wrong example refuses its file. */
export type OnExample = (tried: TriedExample & { readonly rule: RuleRef }) => void;

export type ParsedPolicy =
  | { readonly ok: true; readonly rules: readonly Rule[]; readonly notices: readonly PolicyNotice[] }
  | { readonly ok: false; readonly failure: FailureOf<'policy_invalid'> };
export type LoadedPolicy =
  | { readonly ok: true; readonly policy: Policy; readonly notices: readonly PolicyNotice[] }
  | { readonly ok: false; readonly failure: FailureOf<'policy_invalid'> };

/** No policy that people read is longer; a larger file is a mistake, and parsing it would delay the start. */
const FILE_BYTES_MAX = 1_000_000;

/** All sources or none: a policy with a part missing would let through what that part forbids. */
export async function loadPolicy(
  sources: readonly PolicySource[],
  known: KnownTools & { readonly onExample?: OnExample } = {},
): Promise<LoadedPolicy> {
  const read = await readSources(sources);
  return read.ok ? parsePolicy(read.texts, policyHash(read.texts), known) : read;
}

/**
 * Policies that many sessions of a process share. The files are read each time,
 * so what is given is always what they say; parsed and kept is each text once.
 */
export class SharedPolicies {
  readonly #loaded = new Map<string, Promise<LoadedPolicy>>();

  async load(sources: readonly PolicySource[], known: Required<KnownTools>): Promise<LoadedPolicy> {
    const read = await readSources(sources);
    if (!read.ok) return read;
    const hash = policyHash(read.texts);
    const key = canonicalJson([hash, known.knownTools, [...known.aliases]]);
    const loading = this.#loaded.get(key) ?? parsePolicy(read.texts, hash, known);
    // Again at the end of the row, whose beginning is forgotten.
    this.#loaded.delete(key);
    this.#loaded.set(key, loading);
    for (const [oldest] of this.#loaded) if (this.#loaded.size > SHARED_MAX) this.#loaded.delete(oldest);
    return loading;
  }
}

/** Few workspaces have rules of their own, and each of these takes some 50 KB. */
const SHARED_MAX = 32;

type Texts = readonly Required<PolicySource>[];

async function readSources(
  sources: readonly PolicySource[],
): Promise<{ readonly ok: true; readonly texts: Texts } | (ParsedPolicy & { readonly ok: false })> {
  const texts: Required<PolicySource>[] = [];
  for (const source of sources) {
    const read = await textOf(source);
    if (!read.ok) return read;
    texts.push({ ...source, text: read.text });
  }
  return { ok: true, texts };
}

async function parsePolicy(
  texts: Texts,
  hash: string,
  known: KnownTools & { readonly onExample?: OnExample },
): Promise<LoadedPolicy> {
  const rules: Rule[] = [];
  const notices: PolicyNotice[] = [];
  for (const source of texts) {
    const parsed = await parsePolicyFile(source.text, { ...source, ...known });
    if (!parsed.ok) return parsed;
    rules.push(...parsed.rules);
    notices.push(...parsed.notices);
  }
  return { ok: true, policy: compilePolicy(rules, hash), notices };
}

/** Names a set of rules by everything they were read from. */
export const policyHash = (sources: readonly Required<PolicySource>[]): string =>
  sha256(canonicalJson(sources.map(({ tier, file, text }) => [tier, file, text])));

export async function parsePolicyFile(
  text: string,
  {
    file,
    tier,
    knownTools,
    aliases = NO_ALIASES,
    onExample,
  }: Omit<PolicySource, 'text'> & KnownTools & { readonly onExample?: OnExample },
): Promise<ParsedPolicy> {
  const invalid = (line: number, problem: string) =>
    ({ ok: false, failure: { code: 'policy_invalid', file, line, problem } }) as const;

  const document = parseToml(text);
  if (!document.ok) return invalid(document.line, document.problem);
  const lines = tomlLines(text);
  const tables = document.table['rule'] ?? [];
  if (!Array.isArray(tables) || !tables.every(isTable)) {
    return invalid(lines.top.get('rule') ?? 1, 'rules are written as [[rule]], with two brackets');
  }

  const rules: Rule[] = [];
  const remarks: Remark[] = [...remarksOnTop(document.table, lines)];
  for (const [index, table] of tables.entries()) {
    const place: RulePlace = { file, tier, aliases, ...placeOf(lines, index) };
    remarks.push(...remarksOnKeys(table, place));
    const read = readRule(table, place);
    if (!read.ok) {
      const [first] = read.problems.toSorted((a, b) => a.line - b.line);
      return invalid(first?.line ?? place.header, first?.problem ?? 'the rule cannot be read');
    }
    const built = onExample ? await tryRule(read.draft, onExample) : await buildRule(read.draft);
    if (!built.ok) return invalid(built.problem.line, built.problem.problem);
    rules.push(...built.rules);
    remarks.push(...built.remarks, ...doubtsAbout(read.draft, knownTools ?? null, aliases));
  }
  return { ok: true, rules, notices: remarks.map((remark) => ({ ...remark, file })) };
}

async function tryRule(draft: RuleDraft, onExample: OnExample): Promise<BuiltRule> {
  const compiled = await compileRule(draft);
  if (!compiled.ok) return compiled;
  for (const tried of await tryExamples(compiled.rules, draft)) onExample({ ...tried, rule: draft.rule.ref });
  return compiled;
}

async function textOf({
  file,
  text,
}: PolicySource): Promise<{ ok: true; text: string } | (ParsedPolicy & { ok: false })> {
  const unreadable = (problem: string) =>
    ({ ok: false, failure: { code: 'policy_invalid', file, line: 1, problem } }) as const;
  if (text !== undefined) return { ok: true, text };
  try {
    const bytes = await readFile(file);
    if (bytes.length > FILE_BYTES_MAX)
      return unreadable(`the file has ${bytes.length} bytes; the limit is ${FILE_BYTES_MAX}`);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return unreadable(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseToml(
  text: string,
): { ok: true; table: TomlTableWithoutBigInt } | { ok: false; line: number; problem: string } {
  try {
    return { ok: true, table: parse(text, { unsafeKeyBehaviour: 'throw' }) };
  } catch (error) {
    // Whatever the parser stumbles over, it is the file that is at fault.
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, line: error instanceof TomlError ? error.line : 1, problem };
  }
}

/** Where the n-th rule and its keys stand. Rules of an inline list have no lines of their own. */
function placeOf(lines: TomlLines, index: number): Pick<RulePlace, 'header' | 'lineOf'> {
  const table = lines.arrays.get('rule')?.[index];
  const header = table?.header ?? lines.top.get('rule') ?? 1;
  return { header, lineOf: (key) => table?.keys.get(key) ?? header };
}

/** Whatever a file says that is in force nowhere is reported: silence would be taken for protection. */
function remarksOnTop(table: TomlTableWithoutBigInt, { arrays, top }: TomlLines): Remark[] {
  return Object.keys(table).flatMap((key): Remark[] => {
    if (key === 'rule') return [];
    const headers = arrays.get(key)?.map(({ header }) => header) ?? [top.get(key) ?? 1];
    const text =
      key === 'safety_checker'
        ? 'Safety checkers are not supported; this table has no effect. Paths outside the workspace ask without one.'
        : `"${key}" is not known and has no effect.${key === 'rules' ? ' Did you mean [[rule]]?' : ''}`;
    return headers.map((line) => ({ severity: 'warning', line, text }));
  });
}

function remarksOnKeys(table: TomlTableWithoutBigInt, { lineOf }: RulePlace): Remark[] {
  const known: readonly string[] = RULE_KEYS;
  return Object.keys(table).flatMap((key): Remark[] => {
    if (known.includes(key)) return [];
    const guess = known.find((each) => each.toLowerCase() === key.toLowerCase()) ?? nearest(key, known)[0];
    const hint =
      key === 'safety_checker'
        ? ' Safety checkers are not supported; paths outside the workspace ask without one.'
        : guess === undefined
          ? ''
          : ` Did you mean "${guess}"?`;
    return [
      {
        severity: 'warning',
        line: lineOf(key),
        text: `The key "${key}" is not known and has no effect.${hint}`,
      },
    ];
  });
}
