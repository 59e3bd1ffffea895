import { defineConfig } from 'vitest/config'
import { testsOfTwoSizes } from './test/support/tests-of-two-sizes.ts'

export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts', ...testsOfTwoSizes()],
    env: { TIDEMARK_FULL_SIZE: '1' },
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } }, // a bound for what never comes; Vitest's own is a second
    pool: 'forks',
    maxWorkers: 1,
  },
})
