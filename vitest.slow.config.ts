import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
