import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { GIVEN, neededNames, readDoors } from '../../scripts/docs/api-reference.mjs';
import { filesUnder, root } from '../../scripts/source/files.mjs';
import { test } from '../cli/program.js';

const GUIDES = [...filesUnder('docs/guide'), 'docs/TUTORIAL.md', 'README.md'];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Block = { readonly where: string; readonly language: string; readonly code: string };

function blocksIn(path: string): Block[] {
  const text = read(path);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }) => ({
    where: `${path}:${text.slice(0, index).split('\n').length}`,
    language,
    code: code.trimEnd(),
  }));
}

/** The parts of the examples that may be quoted, by file and name, without the indentation they have in common. */
function regionsOf(path: string): [string, string][] {
  const found = read(path).matchAll(/^ *\/\/ #region (\S+)\n(.*?)^ *\/\/ #endregion$/gms);
  return [...found].map(({ 1: name = '', 2: code = '' }) => [
    `${path}#${name}`,
    withoutIndent(code.trimEnd()),
  ]);
}

function withoutIndent(code: string): string {
  const lines = code.split('\n');
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

const regions = new Map(filesUnder('examples').flatMap(regionsOf));

test('every piece of code in the guides is a part of an example, which is compiled and run [E2]', () => {
  const quotable = new Set(regions.values());
  const code = GUIDES.flatMap(blocksIn).filter(({ language }) =>
    /^(ts|tsx|js|mjs|typescript|javascript)$/.test(language),
  );
  expect(code.length).toBeGreaterThan(GUIDES.length);
  const unknown = code.filter((block) => block.language !== 'ts' || !quotable.has(block.code));
  expect(
    unknown.map(({ where }) => where),
    'Copy the region of the example whose code was changed; a new block needs a region of its own.',
  ).toEqual([]);
});

test('every region of an example is quoted somewhere, and only once by the same name', () => {
  const quoted = new Set(GUIDES.flatMap(blocksIn).map(({ code }) => code));
  expect([...regions].filter(([, code]) => !quoted.has(code)).map(([name]) => name)).toEqual([]);
  const names = filesUnder('examples')
    .flatMap(regionsOf)
    .map(([name]) => name);
  expect(names.length).toBe(new Set(names).size);
});

const doors = readDoors();
/** `countersign/compat` repeats names of the first. */
const ENTRIES = ['countersign', 'countersign/testing', 'countersign/react'];
const namesOf = (entry: string): string[] => [...(doors[entry]?.keys() ?? [])];

/** The examples in the doc comments of one entry of the package, by name. */
function examplesOf(entry: string): Block[] {
  return [...(doors[entry] ?? [])].flatMap(([name, declarations]) =>
    declarations.flatMap(({ comment }) =>
      [...(comment ?? '').matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(({ 1: code = '' }) => ({
        where: `${entry}: ${name}`,
        language: 'ts',
        code,
      })),
    ),
  );
}

test('every name of the library has an example in its doc comment [E2]', () => {
  const without = ENTRIES.flatMap((entry) => {
    const shown = examplesOf(entry).map(({ where }) => where);
    const names = namesOf(entry).map((name) => `${entry}: ${name}`);
    return names.filter((name) => !shown.includes(name));
  });
  expect(without).toEqual([]);
});

test('the library root lists at most forty names itself; the rest is re-exported for compatibility or detail [E2]', () => {
  const names = neededNames();
  expect(names.length).toBeLessThanOrEqual(40);
  expect(names.filter((name) => !doors['countersign']?.has(name))).toEqual([]);
});

test('every example in a doc comment uses the name that it is for [E2]', () => {
  const about = ENTRIES.flatMap(examplesOf).filter(
    ({ where, code }) => !new RegExp(`\\b${where.split(': ')[1]}\\b`).test(code),
  );
  expect(about.map(({ where }) => where)).toEqual([]);
});

test('every example in a doc comment compiles [E2]', ({ place }) => {
  const files = ENTRIES.flatMap(examplesOf).map(({ where, code }, index) => {
    const file = join(place.directory, `example-${index}.ts`);
    const isUsed = (each: string) => new RegExp(`\\b${each}\\b`).test(`${GIVEN.join(' ')} ${code}`);
    const text = [
      `// ${where}`,
      ...ENTRIES.map((entry) => `import { ${namesOf(entry).filter(isUsed).join(', ')} } from '${entry}';`),
      "import { z } from 'zod';",
      ...GIVEN,
      'export async function example() {',
      code,
      '}',
    ];
    writeFileSync(file, `${text.join('\n')}\n`);
    return file;
  });
  expect(files.length).toBeGreaterThan(100);
  symlinkSync(join(root, 'node_modules'), join(place.directory, 'node_modules'));
  const settings = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { ...NOTHING_WRITTEN, rootDir: '.', verbatimModuleSyntax: false, noUnusedLocals: false },
    files,
  };
  writeFileSync(join(place.directory, 'tsconfig.json'), JSON.stringify(settings));
  writeFileSync(join(place.directory, 'package.json'), '{ "type": "module" }\n');
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', place.directory, '--pretty', 'false'],
    { encoding: 'utf8' },
  );
  const problems = stdout.split('\n').map((line) => {
    const file = /example-\d+\.ts/.exec(line)?.[0];
    return file ? `${readFileSync(join(place.directory, file), 'utf8').split('\n')[0]} ${line}` : line;
  });
  expect({ status, problems: problems.filter(Boolean) }).toEqual({ status: 0, problems: [] });
});

const NOTHING_WRITTEN = {
  composite: false,
  incremental: false,
  noEmit: true,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
};

test('links of the documents lead to files that exist', () => {
  const pages = [
    ...filesUnder('docs'),
    ...filesUnder('examples'),
    'README.md',
    'AGENTS.md',
    'CONTRIBUTING.md',
  ];
  const broken = pages
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const targets = [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
        ([, to = '']) => to,
      );
      return targets.filter((to) => !existsSync(join(root, path, '..', to))).map((to) => `${path} -> ${to}`);
    });
  expect(broken).toEqual([]);
});

test('files of the packages that a document names exist', () => {
  const pages = [...filesUnder('docs'), 'README.md', 'AGENTS.md', 'CONTRIBUTING.md'].filter((path) =>
    path.endsWith('.md'),
  );
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:packages|scripts|tests|examples)\/[\w./-]+)`/g)].map(
      ([, path = '']) => `${page}: ${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((line) => !existsSync(join(root, line.split(': ')[1] ?? '')))).toEqual([]);
});

test('the tool module of the architecture page works as it stands there [T1, C3]', async ({ place }) => {
  const [module, ...others] = blocksIn('docs/ARCHITECTURE.md').filter(({ language }) => language === 'js');
  expect(others).toEqual([]);
  const path = join(place.directory, 'my-tools.mjs');
  writeFileSync(path, `${module?.code}\n`);
  const call = JSON.stringify({ id: 'a', name: 'add_line', args: { line: 'hello' } });

  const ran = await place.run(['exec', '--tools', path, '--mode', 'yolo', call]);
  expect(ran.stderr).toBe('');
  expect(ran.lines).toMatchObject([{ callId: 'a', name: 'add_line', status: 'success' }]);
  expect(place.read('notes.txt')).toBe('hello\n');
  expect(ran.code).toBe(0);

  const wrong = await place.run(['exec', '--tools', path, '--mode', 'yolo', '{"name":"add_line","args":{}}']);
  expect(wrong.lines).toMatchObject([{ status: 'error', error: { type: 'invalid_tool_params' } }]);
  expect(place.read('notes.txt')).toBe('hello\n');
});
