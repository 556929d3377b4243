/**
 * What a change of an ordinary file would have run later without anybody asking
 * for it: scripts that package managers run when they install, pack or publish,
 * and what hooks managers read from the same file. In words, or null if there is
 * nothing of the kind.
 */
export function runsByItself(name: string, before: string | null, after: string): string | null {
  const manifest = MANIFESTS[name.toLowerCase()];
  if (manifest === undefined) return null;
  const old = manifest.read(before ?? '');
  const changed = [...manifest.read(after)].filter(([key, value]) => old.get(key) !== value);
  if (changed.length === 0) return null;
  return `${manifest.who} by itself what this changes: ${changed.map(inWords).join(', ')}`;
}

/** What runs by itself: where it stands, and what it says. */
type Running = ReadonlyMap<string, string>;
type Manifest = { readonly who: string; readonly read: (text: string) => Running };

/** What npm, yarn and pnpm run without being asked for it by name. */
export const NODE_EVENTS: ReadonlySet<string> = new Set(
  [
    'install uninstall prepare prepack pack postpack publish prepublish prepublishOnly dependencies shrinkwrap',
    'pnpm:devPreinstall',
  ]
    .flatMap((line) => line.split(' '))
    .flatMap((event) => [`pre${event}`, event, `post${event}`]),
);

/** Beside `scripts`: hooks managers' own keys, and what decides whose scripts run or which program installs. */
const NODE_KEYS = [
  'husky',
  'simple-git-hooks',
  'lint-staged',
  'gitHooks',
  'pre-commit',
  'trustedDependencies',
  'packageManager',
  'pnpm.onlyBuiltDependencies',
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
  'package.json5': { who: 'pnpm runs', read: ofLines },
  'package.yaml': { who: 'pnpm runs', read: ofLines },
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

/** Scripts that run by themselves, and those that these name: `"prepare": "npm run build"` runs `build`. */
function reached(
  scripts: object,
  isEvent: (name: string) => boolean,
): readonly (readonly [string, unknown])[] {
  const all = Object.entries(scripts);
  const wanted = new Set(all.flatMap(([name]) => (isEvent(name) ? [name] : [])));
  for (const name of wanted) {
    const words = new Set(
      JSON.stringify(all.find(([each]) => each === name)?.[1] ?? '').split(/[\s"'@,;&|()[\]\\]+/),
    );
    for (const [other] of all)
      if (words.has(other) || words.has(other.replace(/^(?:pre|post)/, ''))) wanted.add(other);
  }
  return all.filter(([name]) => wanted.has(name));
}

/** Of formats that no parser here reads: the lines that set one of the events. */
function ofLines(text: string): Running {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name = '', script = ''] = /^[\s{,]*["']?([\w:]+)["']?\s*:\s*(.*)$/.exec(line) ?? [];
    if (NODE_EVENTS.has(name)) found.set(`scripts.${name}`, script);
  }
  return found;
}

type Loose = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What does not parse runs nothing; once it does, all that it holds counts as new. */
function objectIn(text: string): Loose {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function valueAt(manifest: Loose, path: string): unknown {
  let value: unknown = manifest;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined;
  return value;
}

const SHOWN_CHARS_MAX = 200; // enough to recognise a script by; the whole stands in the diff

const inWords = ([key, value]: readonly [string, string]): string =>
  `"${key}": ${value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value}`;
