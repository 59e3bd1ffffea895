import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/run/longest-first.ts'

/** Tests that change the process they run in: each gets one of its own. All others share processes, and what those have imported. */
const ALONE = [
  'test/workflows/histories.test.ts', // replaces the Temporal runtime
  'test/trading/auth/create-recovery.test.ts', // replaces a module
  'test/primitives/wall-clock.test.ts', // loads a module again
]

export default defineConfig({
  test: {
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/fast-check.ts', 'test/support/one-thread.ts', 'test/support/run/processor-time.ts'],
    // Bounds for what hangs: on a busy machine a test takes many times what it takes alone.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } }, // a bound for what never comes; Vitest's own is a second
    pool: 'forks',
    // Three more than the cores of a small machine: files wait for clocks and processes. With four the cores were idle a fifth of the time.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, 'test/slow/**', 'node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
})
