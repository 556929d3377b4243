import { defineConfig } from 'vitest/config';

const conditions = ['countersign-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 20_000,
    pool: 'forks',
  },
});
