import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FAILURE_SAMPLES } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { filesUnder, isTypeScript, packageNames, root, sourceFiles } from '../../scripts/source/files.mjs';
import {
  type Edge,
  findCycle,
  folderOf,
  importEdges,
  manifestOf,
} from '../../scripts/source/import-graph.mjs';
import { parseFile, visit } from '../../scripts/source/syntax.mjs';

/** Which packages each may import. What a package cannot reach, it cannot come to depend on. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  protocol: [],
  kernel: ['protocol'],
  display: ['kernel', 'protocol'],
  client: ['display', 'kernel', 'protocol'],
  commands: ['kernel', 'protocol'],
  host: ['protocol'],
  engine: ['commands', 'kernel', 'protocol'],
  'store-sqlite': ['engine', 'protocol'],
  attach: ['protocol', 'client', 'engine'],
  channels: ['protocol', 'display', 'client'],
  sandbox: ['protocol'],
  tools: ['engine', 'host', 'protocol', 'commands', 'sandbox'],
  hooks: ['protocol', 'engine', 'host'],
  models: ['protocol', 'host'],
  agent: ['protocol', 'kernel', 'client', 'engine', 'hooks', 'models'],
  mcp: ['protocol', 'kernel', 'display', 'client', 'engine', 'host', 'tools'],
  acp: ['protocol', 'kernel', 'display', 'client', 'engine', 'agent'],
  server: ['protocol', 'kernel', 'client', 'attach', 'engine', 'agent'],
  react: ['protocol', 'kernel', 'client'],
  tui: ['protocol', 'kernel', 'display', 'client', 'react'],
  web: ['protocol', 'display', 'client', 'react', 'server'],
  sdk: [
    'protocol',
    'kernel',
    'client',
    'engine',
    'store-sqlite',
    'host',
    'commands',
    'tools',
    'models',
    'hooks',
    'mcp',
  ],
  testkit: ['protocol', 'kernel', 'client', 'engine'],
  cli: [
    'protocol',
    'kernel',
    'display',
    'client',
    'attach',
    'channels',
    'host',
    'engine',
    'store-sqlite',
    'tools',
    'sandbox',
    'hooks',
    'models',
    'agent',
    'mcp',
    'acp',
    'server',
    'react',
    'tui',
    'testkit',
  ],
};
/** They run in a browser too, and decide without looking at the world. */
const WITHOUT_NODE = ['protocol', 'kernel', 'commands', 'display', 'client'];

const packages = packageNames();
const sources = packages.flatMap(sourceFiles);
const everything = packages.flatMap((name) => filesUnder(`packages/${name}/src`)).filter(isTypeScript);
const edges = importEdges(sources);

const describeEdge = ({ from, specifier, kind }: Edge) => `${from} imports ${specifier} (${kind})`;

test('no file comes back to itself by its value imports', () => {
  expect(findCycle(edges.filter(({ kind }) => kind === 'value'))).toBeNull();
});

test('no file comes back to itself by its imports, types included', () => {
  expect(findCycle(edges)).toBeNull();
});

/** Folders named testing hold what tests share. An entry file lists what a folder exports, which its folder does not depend on. */
const shipped = new Set(sources.filter((path) => !path.includes('/testing/')));
const isEntry = (path: string) => path.endsWith('/index.ts');

test('no folder comes back to itself by its imports, parents and types included', () => {
  const between = edges.flatMap(({ from, to }) => {
    const counts = to !== null && shipped.has(from) && !isEntry(from) && dirname(from) !== dirname(to);
    return counts ? [{ from: dirname(from), to: dirname(to) }] : [];
  });
  expect(findCycle(between)).toBeNull();
});

const FOLDER_FILES_MAX = 20; // as many names as one look takes in

test(`a folder has at most ${FOLDER_FILES_MAX} source files`, () => {
  const counts = new Map<string, number>();
  for (const path of shipped) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
});

const SMALL_FILE_LINES = 10;

test(`a file of less than ${SMALL_FILE_LINES} lines is not there for one importer alone`, () => {
  const small = [...shipped].filter((path) => linesOf(path) < SMALL_FILE_LINES);
  const wrong = small.filter((path) => {
    const uses = edges.filter(({ to }) => to === path);
    // What is loaded on demand is a file of its own, however small.
    const isOwn = uses.some(({ from, names }) => isEntry(from) || names.includes('*'));
    return !isOwn && new Set(uses.map(({ from }) => from)).size === 1;
  });
  expect(wrong).toEqual([]);
});

test('packages import only what lies beneath them', () => {
  expect(packages.filter((name) => !MAY_IMPORT[name])).toEqual([]);
  const wrong = edges.filter(({ from, to }) => {
    if (to === null || folderOf(from) === folderOf(to)) return false;
    return !MAY_IMPORT[folderOf(from)]?.includes(folderOf(to));
  });
  expect(wrong.map(describeEdge)).toEqual([]);
});

test('stores know the ports of the engine and the shapes of what is stored, and nothing else of it', () => {
  const allowed = ['@countersign/engine/journal', '@countersign/engine/testing'];
  const wrong = edges.filter(
    ({ from, to, specifier }) =>
      folderOf(from).startsWith('store-') &&
      to?.startsWith('packages/engine/') &&
      !allowed.includes(specifier),
  );
  expect(wrong.map(describeEdge)).toEqual([]);
});

test('tools take only types from the engine', () => {
  const wrong = edges.filter(
    ({ from, to, kind }) =>
      folderOf(from) === 'tools' && to?.startsWith('packages/engine/') && kind === 'value',
  );
  expect(wrong.map(describeEdge)).toEqual([]);
});

test('what runs in a browser uses nothing of Node', () => {
  const wrong = edges.filter(
    ({ from, specifier }) => WITHOUT_NODE.includes(folderOf(from)) && specifier.startsWith('node:'),
  );
  expect(wrong.map(describeEdge)).toEqual([]);
});

/** What the manifest of each package exports: one entry, and few more for what only a browser or a test may load. */
const entries = new Set(
  packages.flatMap((folder) => {
    const { name, exports = {} } = manifestOf(folder);
    return folder === 'cli' ? [] : Object.keys(exports).map((path) => name + path.slice(1));
  }),
);

test('packages import one another only by what their manifests export', () => {
  const wrong = importEdges(everything).filter(({ from, to, specifier }) => {
    if (specifier.startsWith('.'))
      return to === null || folderOf(to) !== folderOf(from) || !to.startsWith('packages/');
    return /^(@countersign\/[^/]+|countersign)(\/|$)/.test(specifier) && !entries.has(specifier);
  });
  expect(wrong.map(describeEdge)).toEqual([]);
});

test('what a package imports, it declares', () => {
  const wrong = edges.filter(({ from, specifier }) => {
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false;
    const name = nameIn(specifier);
    // What is bundled into the published package is no dependency of its users.
    const { dependencies = {}, devDependencies = {} } = manifestOf(folderOf(from));
    return !Object.hasOwn(dependencies, name) && !Object.hasOwn(devDependencies, name);
  });
  expect(wrong.map(describeEdge)).toEqual([]);
});

test('what a package declares, it uses', () => {
  const wrong = packages.flatMap((folder) => {
    const { dependencies = {} } = manifestOf(folder);
    const declared = Object.keys(dependencies);
    // The program installs what the packages in its bundle import.
    const used = new Set((folder === 'cli' ? packages : [folder]).flatMap(importedBy));
    return declared.flatMap((name) => {
      const isPeer = declared.some((other) => name in peersOf(other));
      return used.has(name) || isPeer ? [] : [`${folder} declares ${name}`];
    });
  });
  expect(wrong).toEqual([]);
});

/** The packages that a package imports, or finds by name, as ripgrep's binary is. */
function importedBy(folder: string): readonly string[] {
  const named = sourceFiles(folder).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return Array.from(text.matchAll(/\.resolve\('([^']+)'\)/g), ([, name]) => name ?? '');
  });
  const own = edges.filter(({ from }) => folderOf(from) === folder);
  return [...named, ...own.map(({ specifier }) => nameIn(specifier))];
}

const nameIn = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function peersOf(name: string): object {
  const path = join(root, 'node_modules', name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).peerDependencies ?? {}) : {};
}

test('every failure code is produced somewhere', () => {
  const producers = [...shipped].filter((path) => !['protocol', 'testkit'].includes(folderOf(path)));
  const texts = producers.map((path) => readFileSync(join(root, path), 'utf8'));
  const never = Object.keys(FAILURE_SAMPLES).filter(
    (code) => !texts.some((text) => text.includes(`'${code}'`)),
  );
  expect(never).toEqual([]);
});

test('the lock file knows what every package declares, so that npm ci can install it', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  for (const folder of packages) {
    const locked = lock[`packages/${folder}`]?.dependencies;
    expect(locked, `packages/${folder}: run npm install`).toEqual(manifestOf(folder).dependencies);
  }
});

test('no type is switched off', () => {
  const wrong: string[] = [];
  for (const path of everything) {
    const text = readFileSync(join(root, path), 'utf8');
    const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
    visit(parseFile(path), (node) => {
      if (node.type === 'TSAnyKeyword') wrong.push(`${path}:${lineAt(node.start)} any`);
    });
    for (const { 0: comment, index } of text.matchAll(/@ts-(ignore|nocheck|expect-error)/g)) {
      wrong.push(`${path}:${lineAt(index)} ${comment}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('every package is an ES module with a licence', () => {
  const wrong = packages.filter((folder) => {
    const { license, type } = manifestOf(folder);
    return license !== 'Apache-2.0' || type !== 'module';
  });
  expect(wrong).toEqual([]);
});

test('no tracked file names the machine it was written on', (context) => {
  context.skip(!existsSync(join(root, '.git')), 'This is not a clone: it has no .git.');
  const wrong: string[] = [];
  for (const path of trackedFiles()) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [index, line] of text.split('\n').entries()) {
      const found = TIED_TO_A_MACHINE.find(({ pattern }) => pattern.test(line));
      if (found) wrong.push(`${path}:${index + 1} ${found.what}`);
    }
  }
  expect(wrong).toEqual([]);
});

const TIED_TO_A_MACHINE = [
  { what: 'a path of one host', pattern: /(?<![\w.-])\/work\// },
  { what: 'a package registry', pattern: /\bregistry\.(npmjs|yarnpkg)\.|\bregistry\s*=\s*['"]?https?:/ },
  { what: 'where a package was downloaded', pattern: /"resolved": "\w+:/ },
];

/** What is tracked, and what would be with the next commit. */
function trackedFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

test('sizes are near what we aim at (printed, not enforced)', () => {
  const sizes = sources.map((path) => ({ path, lines: linesOf(path) }));
  const lines = sizes.map((size) => size.lines).sort((a, b) => a - b);
  const at = (share: number) => lines[Math.floor((lines.length - 1) * share)];
  const long = sizes.filter((size) => size.lines > 500).map((size) => `${size.path} (${size.lines})`);
  console.log(
    `${lines.length} source files; lines: median ${at(0.5)} (aim 90), p90 ${at(0.9)} (aim 250); over 500: ${long.join(', ') || 'none'}`,
  );
  expect(lines.length).toBeGreaterThan(0);
});

function linesOf(path: string): number {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}
