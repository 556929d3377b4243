// What packages bring along or do that we neither need nor want to wait for.
import { join } from 'node:path';
import { root } from '../source/files.mjs';

/** @import { Plugin } from 'esbuild' */

/**
 * zod has its messages in fifty languages, which would be half of it.
 * @type {Plugin}
 */
export const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * See native-target.mjs.
 * @type {Plugin}
 */
export const quickTarget = {
  name: 'quick-target',
  setup(build) {
    build.onResolve({ filter: /^@neon-rs\/load$/ }, ({ importer }) =>
      /\/node_modules\/libsql\//.test(importer)
        ? { path: join(root, 'scripts/bundle/native-target.mjs') }
        : undefined,
    );
  },
};
