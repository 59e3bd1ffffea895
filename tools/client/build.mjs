// Builds the package tidemark-client from the sources of the checkout: compiled JavaScript, and the declarations that its entries
// reach. `npm pack --workspace client` runs it. There are no source maps, so names stay readable in errors and stacks.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, transform } from 'esbuild'
import { keepReachedDeclarations } from './declarations.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'client/dist') } } })
const DIST = resolve(values.out)
const ENTRIES = ['index', 'signing', 'verify']
const LINE_MAX = 160

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
  minifySyntax: true,
  minifyWhitespace: true,
  // An uncaught error prints the line that threw it.
  lineLimit: LINE_MAX,
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

// The largest entry has short identifiers; its functions and classes are given their names at run time. Bundlers could not drop
// what is unused of such code, so the others keep their identifiers.
const verify = join(DIST, 'verify.js')
const { code } = await transform(readFileSync(verify, 'utf8'), {
  ...{ format: 'esm', target: 'es2022', minify: true, keepNames: true, lineLimit: LINE_MAX },
})
writeFileSync(verify, code)

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
