import { defineConfig } from 'vitest/config'

const inFolders = (...folders: string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** Tests of pure code: they start nothing. */
const PURE = inFolders('primitives', 'pipelines', 'protocol')

/** Tests that may start something, but change nothing that another file sees: like the pure ones they share what they import. */
const SHARING = [
  ...inFolders('simulator', 'connectors', 'client', 'trading/submissions', 'trading/matching'),
  ...inFolders('api/server', 'api/stream', 'api/private', 'api/own-venue', 'api/resources', 'api/pages'),
  'test/trading/auth/!(create-recovery).test.ts', // that one puts something in the place of a module
]

export default defineConfig({
  test: {
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...SHARING, 'test/slow/**', 'node_modules/**'],
        },
      },
    ],
  },
})
