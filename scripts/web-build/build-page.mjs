// Builds the page into the program's own directory, from where `countersign serve` serves it.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { root } from '../source/files.mjs';

export const PAGE_DIRECTORY = 'packages/cli/dist/page';

await build({
  root: join(root, 'packages/web'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  // From the sources of our packages, as tests take them: nothing need be compiled before.
  resolve: { conditions: ['countersign-source', 'browser', 'import', 'module', 'default'] },
  build: {
    outDir: join(root, PAGE_DIRECTORY),
    emptyOutDir: true,
    target: 'es2022',
    // The server's security policy lets nothing pass that is written into the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // On a busy machine it would tell everybody who runs `npm start` how long its plugins took.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
