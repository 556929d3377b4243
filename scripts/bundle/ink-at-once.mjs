// What draws the terminal waits at its top level, for a layout engine and for tools of its makers. A script cannot.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../source/files.mjs';

/** @import { Plugin } from 'esbuild' */

const BINARY = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/;

const SEGMENTER = /new Intl\.Segmenter\([^)]*\)/g;
const EMOJI = '/^\\p{RGI_Emoji}$/v';
const GRAPHEMES = JSON.stringify(join(root, 'scripts/bundle/graphemes.mjs'));

/**
 * Yoga is compiled on the spot, which takes a few milliseconds; the tools are skipped.
 * @type {Plugin}
 */
export const inkAtOnce = {
  name: 'ink-at-once',
  setup(build) {
    build.onLoad({ filter: /\/yoga-layout\/dist\/src\/index\.js$/ }, () => ({ contents: YOGA }));
    build.onLoad({ filter: /\/yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const binary = BINARY.exec(text)?.[1];
      if (!binary) throw new Error(`${path} no longer holds its binary as base64`);
      return { contents: `${text.replace(BINARY, '""')}\nexport const binary = "${binary}";` };
    });
    const segmenting =
      /\/(?:string-width\/index|slice-ansi\/tokenize-ansi|ansi-tokenize\/build\/tokenize)\.js$/;
    build.onLoad({ filter: segmenting }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const later = text.replace(SEGMENTER, 'graphemes').replace(EMOJI, 'emojiPattern');
      return { contents: `import { emojiPattern, graphemes } from ${GRAPHEMES};\n${later}` };
    });
    build.onResolve({ filter: /^marked$/ }, ({ namespace, resolveDir }) =>
      namespace === LATER ? undefined : { path: 'marked', namespace: LATER, pluginData: resolveDir },
    );
    build.onLoad({ filter: /^marked$/, namespace: LATER }, ({ pluginData }) => ({
      contents: MARKED,
      resolveDir: String(pluginData),
    }));
    build.onLoad({ filter: /\/ink\/build\/reconciler\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replace("await import('./devtools.js')", 'undefined')
        .replace('? await loadPackageJson()', '? {}');
      return { contents };
    });
  },
};

const LATER = 'later';
// Its patterns take 8 ms to make, and until a model has answered there is nothing to mark.
const MARKED = "export const marked = { lexer: (text) => require('marked').marked.lexer(text) };";

const YOGA = `
import loadYoga, { binary } from '../binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from './wrapAssembly.js';
const yoga = {
  instantiateWasm(imports, receive) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(binary, 'base64')), imports);
    receive(instance);
    return instance.exports;
  },
};
loadYoga(yoga);
export default wrapAssembly(yoga);
export * from './generated/YGEnums.js';
`;
