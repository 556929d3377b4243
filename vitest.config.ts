import { defineConfig } from 'vitest/config';

const conditions = ['countersign-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 20_000,
    // What draws on a terminal draws nothing where it believes that nobody looks: tests do look, also on machines for tests.
    env: { CI: 'false', CONTINUOUS_INTEGRATION: 'false' },
    pool: 'forks',
  },
});
