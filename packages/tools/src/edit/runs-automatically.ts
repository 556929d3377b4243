import { orNull } from '@countersign/host';

/**
 * What a change of an ordinary file makes programs run later without a
 * request: scripts that package managers run when they install, pack or publish,
 * and what hooks managers read from the same file. In words, or null if there is
 * nothing of the kind.
 */
export function runsAutomatically(name: string, before: string | null, after: string): string | null {
  const manifest = MANIFESTS[name.toLowerCase()];
  if (manifest === undefined) return null;
  // Some managers read comments and commas that JSON does not have.
  if (manifest.read === null || !isJson(after)) {
    const named = namedInText(before ?? '', after);
    return named === null ? null : `${manifest.who} automatically what this may change: ${named}`;
  }
  const old = manifest.read(before ?? '');
  const changed = [...manifest.read(after)].filter(([key, value]) => old.get(key) !== value);
  if (changed.length === 0) return null;
  return `${manifest.who} automatically what this changes: ${changed.map(inWords).join(', ')}`;
}

/** What runs automatically: its key, and its value as JSON. */
type Running = ReadonlyMap<string, string>;
/** What is of a format that no parser here reads exactly is looked at as text. */
type Manifest = { readonly who: string; readonly read: ((text: string) => Running) | null };

/** Scripts that npm, yarn and pnpm run without a request by name. */
export const NODE_EVENTS: ReadonlySet<string> = new Set(
  [
    'install uninstall prepare prepack pack postpack publish prepublish prepublishOnly dependencies shrinkwrap',
    'pnpm:devPreinstall',
  ]
    .flatMap((line) => line.split(' '))
    .flatMap((event) => [`pre${event}`, event, `post${event}`])
    // Old versions of husky took hooks of git from scripts of these names.
    .concat(
      'precommit prepush commitmsg preparecommitmsg postcommit postcheckout postmerge prerebase'.split(' '),
    ),
);

/** Beside `scripts`: hooks managers' own keys, and what decides whose scripts run or which program installs. */
const NODE_KEYS = [
  'husky',
  'simple-git-hooks',
  'lint-staged',
  'gitHooks',
  'pre-commit',
  'pre-push',
  'commit-msg',
  'git-hooks',
  'nano-staged',
  'config.ghooks',
  'trustedDependencies',
  'allowScripts',
  'lavamoat.allowScripts',
  'dependenciesMeta.*.built',
  'packageManager',
  'devEngines',
  'pnpm.onlyBuiltDependencies',
  'pnpm.onlyBuiltDependenciesFile',
  'pnpm.neverBuiltDependencies',
  'pnpm.dangerouslyAllowAllBuilds',
  'pnpm.allowBuilds',
  'pnpm.configDependencies',
];

const COMPOSER_KEYS = ['config.allow-plugins'];
const COMPOSER_EVENT =
  /^(?:pre|post)-(?:install|update|status|archive|autoload|root-package|create-project|dependencies|package|operations|pool|file|command)\b|^init$|^command$/;

const MANIFESTS: { readonly [name: string]: Manifest } = {
  'package.json': {
    who: 'npm, yarn or pnpm runs',
    read: (text) => ofJson(text, (name) => NODE_EVENTS.has(name), NODE_KEYS),
  },
  'package.json5': { who: 'pnpm runs', read: null },
  'package.yaml': { who: 'pnpm runs', read: null },
  'composer.json': {
    who: 'Composer runs',
    read: (text) => ofJson(text, (name) => COMPOSER_EVENT.test(name), COMPOSER_KEYS),
  },
};

function ofJson(text: string, isEvent: (name: string) => boolean, keys: readonly string[]): Running {
  const manifest = objectIn(text);
  const scripts = manifest['scripts'];
  const found = new Map<string, string>();
  for (const [name, script] of reached(isObject(scripts) ? scripts : {}, isEvent))
    found.set(`scripts.${name}`, JSON.stringify(script));
  for (const key of keys) {
    const value = valueAt(manifest, key);
    if (value !== undefined) found.set(key, JSON.stringify(value));
  }
  return found;
}

/** Scripts that run automatically, and those that these name: `"prepare": "npm run build"` runs `build`. */
function reached(
  scripts: object,
  isEvent: (name: string) => boolean,
): readonly (readonly [string, unknown])[] {
  const all = Object.entries(scripts);
  const wanted = new Set(all.flatMap(([name]) => (isEvent(name) ? [name] : [])));
  for (const name of wanted) {
    const text = JSON.stringify(all.find(([each]) => each === name)?.[1] ?? '');
    const words = new Set(text.split(/[\s"'@,;&|()[\]\\]+/));
    const startsUnknown = RUNNER.test(withoutKnownRuns(text, all));
    for (const [other] of all)
      if (startsUnknown || words.has(other) || words.has(other.replace(/^(?:pre|post)/, '')))
        wanted.add(other);
  }
  return all.filter(([name]) => wanted.has(name));
}

/** Programs that run scripts of the manifest, by names, patterns or short forms (`npm t`, `run-s b*`). */
const RUNNER =
  /(?<![\w./-])(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|concurrently|conc|wireit|lerna|turbo|nx|lage|wsrun|nps|composer)(?![\w-])/;

/** Without the runs that name a script of the manifest, or none. */
function withoutKnownRuns(text: string, scripts: readonly (readonly [string, unknown])[]): string {
  const names = scripts.map(([name]) => name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const known = ['install', 'i', 'ci', 'add', 'audit', 'version', ...names].join('|');
  return text.replace(
    new RegExp(`(?:npm|pnpm|yarn|bun|composer)\\s+(?:(?:run|run-script)\\s+)?(?:${known})(?![\\w:*$-])`, 'g'),
    '',
  );
}

/** All words that can name what runs automatically; `dependencies` is no event of pnpm's, and in every manifest. */
const TELLING_WORDS: ReadonlySet<string> = new Set(
  [...NODE_EVENTS, ...NODE_KEYS]
    .map((name) => name.split(/[.:]/).at(-1) ?? name)
    .filter((name) => name !== 'dependencies'),
);
/** Escapes, anchors, aliases, tags, merges and keys that stand apart: with them, text does not say what it is. */
const UNCLEAR = /\\|(?<![^\s,[{:-])[&*!][^\s"',]|<<|^[\s{[,-]*\?(?:\s|$)|^%/m;

/** What the new text names that may run automatically; null if there is nothing, or only versions change. */
function namedInText(before: string, after: string): string | null {
  if (before === after || changesVersionsOnly(before.split('\n'), after.split('\n'))) return null;
  const words = new Set(after.match(/[\w-]+/g)?.filter((word) => TELLING_WORDS.has(word)));
  if (UNCLEAR.test(after)) words.add('what is written with escapes, aliases or tags');
  return words.size === 0 ? null : [...words].join(', ');
}

const VERSION_LINE = /^(\s*["']?[\w@/.-]+["']?\s*:\s*["']?)[~^<>=v]*\d[\w.+-]*(["']?,?\s*)$/;

/** Each line is the same as before, or the same but for the version at its end. */
const changesVersionsOnly = (before: readonly string[], after: readonly string[]): boolean =>
  before.length === after.length &&
  after.every((line, at) => {
    const old = before[at] ?? '';
    return line === old || (VERSION_LINE.test(line) && versionless(line) === versionless(old));
  });

const versionless = (line: string): string => line.replace(VERSION_LINE, '$1$2');

type Loose = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''));

const isJson = (text: string): boolean => orNull(() => ({ value: parsed(text) })) !== null;

/** What does not parse runs nothing; once it does, all that it holds counts as new. */
function objectIn(text: string): Loose {
  const value = orNull(() => parsed(text));
  return isObject(value) ? value : {};
}

/** What stands at a path of keys; `*` is every key, and collects those that have a value there. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (!isObject(value)) return undefined;
  const [key = '', ...rest] = path.split('.');
  const below = rest.join('.');
  if (key !== '*') return valueAt(value[key], below);
  const found = Object.entries(value).flatMap(([name, each]) => {
    const one = valueAt(each, below);
    return one === undefined ? [] : [[name, one]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const SHOWN_CHARS_MAX = 200; // enough to recognise a script by; the whole stands in the diff

const inWords = ([key, value]: readonly [string, string]): string =>
  `"${key}": ${value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value}`;
