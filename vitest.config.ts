import { defineConfig } from 'vitest/config'

/** Tests of pure code: they start nothing and change nothing that another file sees, so that they share what they import. */
const PURE = ['primitives', 'pipelines', 'protocol'].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    setupFiles: ['test/support/fast-check.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: { include: ['test/**/*.test.ts'], exclude: [...PURE, 'test/slow/**', 'node_modules/**'] },
      },
    ],
  },
})
