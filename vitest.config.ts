import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Not `import`: it would be a condition of `require`, too, and CommonJS packages would be given ES modules.
const conditions = ['countersign-source', 'node', 'module', 'default'];

/** Many tests wait for programs that they started, so that a core has room for more than one. */
const WORKERS_PER_CORE = 1.5;

/** `scripts/check.mjs` leaves them out, by the names of their projects. */
const SLOW = '{packages/*/src,tests}/**/*.slow.test.ts';
const SLOW_TIMED = 'tests/mcp/faults.slow.test.ts';

/** They hold a clock against what they see, closely: one at a time, when all others are done. */
const TIMED = [
  'packages/commands/src/analyze-command.test.ts',
  'packages/engine/src/policy/command-rules.test.ts',
  'packages/hooks/src/call-hooks.test.ts',
  'packages/hooks/src/run/hostile-hooks.test.ts',
  'packages/client/src/transcript.test.ts',
  'packages/tools/src/run-shell-command/run-shell-command.test.ts',
  'packages/tools/src/run-shell-command/stopping.test.ts',
  'packages/host/src/text/unified-diff.test.ts',
  'tests/cli/exec-ending.test.ts',
  'tests/corpus/approvals-ui.test.ts',
  'tests/mcp/calls.test.ts',
  'tests/mcp/faults.test.ts',
  'tests/mcp/revocation.test.ts',
  SLOW_TIMED,
  'tests/server/{large-input,revocation,sessions,sign-in}.test.ts',
  'tests/tui/corpus.test.ts',
];

/** What touches the world has a process of its own, which nobody has touched before. */
const WORLDLY = ['packages/{hooks,host,sandbox,tools}/src/**/*.test.ts', 'tests/**/*.test.ts'];

/** Browsers, terminals and processes on a shared machine: run again once, and named as unstable (scripts/testing/run-tests.mjs). */
const onceMore = { retry: 1 };

const alone = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** What takes long begins first, so that nothing long is left to wait for at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.endsWith('.slow.test.ts');
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Only what hangs runs into these: a test that is about time measures it, and all others wait for a state.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test that ends before it has checked anything fails.
    expect: { poll: { timeout: 20_000 }, requireAssertions: true },
    // What draws on a terminal draws nothing where it believes that nobody looks: tests do look, also on machines for tests.
    env: { CI: 'false', CONTINUOUS_INTEGRATION: 'false' },
    pool: 'forks',
    // Left to itself, vitest keeps one core free, and that of two.
    maxWorkers: Math.ceil(availableParallelism() * WORKERS_PER_CORE),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...WORLDLY, ...TIMED, SLOW],
          // To load the same modules anew for each file would take longer than the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'worldly', include: WORLDLY, exclude: [...TIMED, SLOW], ...onceMore } },
      { extends: true, test: { name: 'slow', include: [SLOW], exclude: [...TIMED], ...onceMore } },
      { extends: true, test: { name: 'timed', include: TIMED, exclude: [SLOW], ...alone, ...onceMore } },
      { extends: true, test: { name: 'slow-timed', include: [SLOW_TIMED], ...alone, ...onceMore } },
    ],
  },
});
