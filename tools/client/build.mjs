// Builds the package tidemark-client from the sources of the checkout: compiled JavaScript with source maps, and the declarations
// that its entries reach. `npm pack --workspace client` runs it.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { keepReachedDeclarations } from './declarations.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'client/dist') } } })
const DIST = resolve(values.out)
const ENTRIES = ['index', 'signing', 'verify']

rmSync(DIST, { recursive: true, force: true })
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8'))
const { metafile } = await build({
  entryPoints: ENTRIES.map((name) => join(ROOT, 'client', `${name}.ts`)),
  outdir: DIST,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  packages: 'external',
  metafile: true,
})

// The conformance vectors, for who writes another client.
cpSync(join(ROOT, 'datasets/vectors'), join(DIST, 'vectors'), {
  recursive: true,
  filter: (path) => !path.endsWith('.md'),
})

const undeclared = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
  .filter((path) => !path.startsWith('node:') && !Object.keys(dependencies).includes(packageOf(path)))
if (undeclared.length > 0) throw new Error(`imports that are no dependency of the client: ${undeclared.join(', ')}`)

execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'client', '--outDir', join(DIST, 'types')], {
  cwd: ROOT,
  stdio: 'inherit',
})
const leaked = keepReachedDeclarations(
  join(DIST, 'types'),
  ENTRIES.map((name) => `client/${name}.d.ts`),
)
if (leaked.length > 0) throw new Error(`declarations that name a package: ${leaked.join(', ')}`)

function packageOf(path) {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}
