import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { librarySizes } from '../../scripts/bundle/library.mjs';
import { root } from '../../scripts/source/files.mjs';
import { manifestOf } from '../../scripts/source/import-graph.mjs';
import { importsIn, parseText } from '../../scripts/source/syntax.mjs';

const PACKAGE = join(root, 'packages/cli');
const ENTRIES = ['countersign', 'countersign/compat', 'countersign/testing', 'countersign/react'];
/** What comes with it, and what its users bring along. */
const { dependencies = {}, peerDependencies = {} } = manifestOf('cli');
const DEPENDENCIES = Object.keys({ ...dependencies, ...peerDependencies });

// A program somewhere else, which finds the package as one that installed it does.
let elsewhere: string;
beforeEach(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'countersign-package-'));
  symlinkSync(join(root, 'node_modules'), join(elsewhere, 'node_modules'));
});
afterEach(() => rmSync(elsewhere, { recursive: true, force: true }));

function run(fileName: string, code: string) {
  writeFileSync(join(elsewhere, fileName), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileName], {
    cwd: elsewhere,
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { status, stdout, stderr };
}

test('the package is fit to be published: publint has no complaint [E2]', async () => {
  const { messages, pkg } = await publint({ pkgDir: PACKAGE, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

// zod leaves two globals of its own, and Node 22 opens stderr with node:util; what is looked for is what we add to it.
const LOOK = `
  await import('zod');
  await import('node:util');
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  const look = () => ({
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    resources: process.getActiveResourcesInfo(),
    environment: Object.keys(process.env).length,
    globals: Object.getOwnPropertyNames(globalThis),
  });
`;

test.each(ENTRIES)(
  'importing %s does nothing: no timer, no listener, no output, no global [E2, S6]',
  (entry) => {
    const { status, stdout, stderr } = run(
      'look.mjs',
      `${LOOK} await settled(); const before = look(); await import('${entry}'); await settled();
     console.log(JSON.stringify([before, look()]));`,
    );
    expect(stderr).toBe('');
    const [before, after] = JSON.parse(stdout);
    expect(after).toEqual(before);
    expect(status).toBe(0);
  },
);

test('it can be used from CommonJS, by import() [E2]', () => {
  const { status, stdout, stderr } = run(
    'program.cjs',
    `(async () => {
       const { Config, Scheduler, ToolRegistry, registerBuiltInTools } = await import('countersign');
       const { statusHistory } = await import('countersign/testing');
       const config = new Config();
       const toolRegistry = new ToolRegistry(config);
       registerBuiltInTools(toolRegistry, config);
       const updates = [];
       const scheduler = new Scheduler({ toolRegistry, config, onToolCallsUpdate: (calls) => updates.push(calls) });
       await scheduler.schedule({ callId: 'a', name: 'read_file', args: { file_path: 'program.cjs' } });
       await scheduler.dispose();
       console.log(statusHistory(updates).a.join(' '));
     })();`,
  );
  expect(stderr).toBe('');
  expect(stdout).toBe('validating scheduled executing success\n');
  expect(status).toBe(0);
});

test('what it loads, and what its types name, is part of it or among its dependencies [E2]', async () => {
  const { metafile } = await build({
    stdin: {
      contents: ENTRIES.map((entry, n) => `export * as entry${n} from '${entry}';`).join('\n'),
      resolveDir: elsewhere,
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    external: DEPENDENCIES,
    logLevel: 'error',
  });
  const outside = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'));
  expect(outside.filter((path) => !path.includes('node_modules/countersign/'))).toEqual([]);

  const named = typeFilesOf(
    'sdk/index.d.ts',
    'sdk/compat.d.ts',
    'sdk/testing.d.ts',
    'react/index.d.ts',
  ).flatMap((text) => importsIn(parseText(text, 'ts')).map(({ specifier }) => specifier));
  const known = DEPENDENCIES;
  const unknown = named.filter((name) => !/^(\.|node:)/.test(name) && !known.includes(name));
  expect(unknown).toEqual([]);
});

/** The texts of declaration files and of all that they import. */
function typeFilesOf(...entries: readonly string[]): string[] {
  const paths = new Set(entries.map((name) => join(PACKAGE, 'dist/types', name)));
  const texts: string[] = [];
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    texts.push(text);
    for (const { specifier } of importsIn(parseText(text, 'ts'))) {
      if (specifier.startsWith('.')) paths.add(join(path, '..', specifier.replace(/\.js$/, '.d.ts')));
    }
  }
  return texts;
}

test('a program that uses little of it carries little of it [E2]', async () => {
  const sizeOf = async (contents: string) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: elsewhere },
      bundle: true,
      write: false,
      minify: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      external: DEPENDENCIES,
    });
    return outputFiles[0]?.contents.length ?? 0;
  };
  const all = await sizeOf("export * from 'countersign';");
  const one = await sizeOf("export { convertToFunctionResponse } from 'countersign';");
  expect(one).toBeLessThan(all / 3);
  expect(await sizeOf("import 'countersign';")).toBeLessThan(100);
});

test('sizes of the entries, with all that each loads at once (printed, not enforced)', () => {
  const sizes = librarySizes();
  console.log(sizes.map(({ name, bytes, gzip }) => `${name}: ${bytes} bytes, ${gzip} compressed`).join('\n'));
  expect(sizes.map(({ name }) => name)).toEqual(['index', 'compat', 'testing', 'react']);
});
