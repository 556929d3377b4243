// Builds the library that the package "countersign" exports: bundled modules in packages/cli/dist/lib, and types
// in packages/cli/dist/types, in which our own packages, which are not published, are named by relative paths.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../source/files.mjs';

const DIST = join(root, 'packages/cli/dist');
/** By the name of the file that is exported. */
const ENTRIES = {
  index: 'packages/sdk/src/index.ts',
  compat: 'packages/sdk/src/compat.ts',
  testing: 'packages/sdk/src/testing.ts',
  react: 'packages/react/src/index.ts',
};
/** The packages whose types the library's types mention. */
const OURS = [
  'protocol',
  'kernel',
  'commands',
  'display',
  'client',
  'host',
  'engine',
  'store-sqlite',
  'sandbox',
  'tools',
  'models',
  'sdk',
  'react',
];
/** Entries nobody imports by name: they keep what needs no tools apart from what does, for programs that use little. */
const PARTS = [
  'wires/function-response',
  'wires/other-wires',
  'types/enums',
  'config/redaction',
  'config/records',
];

/** @returns {Promise<boolean>} whether it was built */
export async function buildLibrary() {
  if (!existsSync(join(root, 'packages/sdk/src/index.ts'))) return true;
  const { build } = await import('esbuild');
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'packages/cli/package.json'), 'utf8'),
  );
  const built = await build({
    absWorkingDir: root,
    entryPoints: [
      ...Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
      ...PARTS.map((name) => ({ in: `packages/sdk/src/${name}.ts`, out: `parts/${basename(name)}` })),
    ],
    outdir: join(DIST, 'lib'),
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    conditions: ['countersign-source'],
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    sourcemap: true,
    legalComments: 'eof',
    logLevel: 'warning',
  }).catch(() => null);
  if (built === null) return false;
  copyTypes();
  return true;
}

/** The compressed size of each entry with all it loads at once. */
export function librarySizes() {
  return Object.keys(ENTRIES).map((name) => {
    const loaded = new Set([join(DIST, 'lib', `${name}.js`)]);
    for (const file of loaded) {
      const text = readFileSync(file, 'utf8');
      for (const [, from] of text.matchAll(/(?:^|[\s;}])(?:import|from)\s*"(\.[^"]+)"/g)) {
        if (from) loaded.add(join(dirname(file), from));
      }
    }
    const bytes = Buffer.concat([...loaded].map((file) => readFileSync(file)));
    return { name, bytes: bytes.length, gzip: gzipSync(bytes).length };
  });
}

function copyTypes() {
  // Made aside and put in place at once: a compiler that reads them meanwhile finds the old ones or the new ones.
  const types = join(DIST, `types.${process.pid}`);
  rmSync(types, { recursive: true, force: true });
  for (const name of OURS) {
    const from = join(root, 'packages', name, 'dist');
    cpSync(from, join(types, name), {
      recursive: true,
      // Folders called testing hold what only our own tests need.
      filter: (path) =>
        statSync(path).isDirectory() ? basename(path) !== 'testing' : path.endsWith('.d.ts'),
    });
  }
  for (const file of filesIn(types)) {
    const text = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
    writeFileSync(
      file,
      text.replace(/(['"])@countersign\/([a-z-]+)((?:\/[a-z-]+)?)\1/g, (_, quote, name, entry) => {
        const target = relative(dirname(file), join(types, name, typesOf(name, `.${entry}`)));
        return `${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`;
      }),
    );
  }
  rmSync(join(DIST, 'types'), { recursive: true, force: true });
  renameSync(types, join(DIST, 'types'));
}

/**
 * Where the types of an entry of a package are, from its folder of built files on.
 * @param {string} name
 * @param {string} entry
 */
function typesOf(name, entry) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return relative('dist', manifest.exports[entry].types).replace(/\.d\.ts$/, '.js');
}

/** @returns {string[]} */
function filesIn(/** @type {string} */ directory) {
  mkdirSync(directory, { recursive: true });
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
