// Builds the packages tidemark-client and tidemark-verify from the sources of the checkout: compiled JavaScript, and the
// declarations that their entries reach. `npm pack --workspace client` runs it. Code that both packages use is in the first one.
// `--names` only prints the names of the files of code.
// There are no source maps, so functions and classes keep their names in errors and stacks.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { minify } from 'terser'
import { keepReachedDeclarations } from './declarations.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(ROOT, 'client') }, names: { type: 'boolean', default: false } },
})
const CLIENT = resolve(values.out)
const PACKAGES = [
  { folder: CLIENT, source: 'client', entries: ['index', 'signing', 'vectors'] },
  { folder: join(CLIENT, 'verifier'), source: 'client/verifier', entries: ['verify'] },
]
const SHARED = 'tidemark-client/shared/'

const outputs = await bundle()
if (values.names) {
  for (const path of outputs.keys()) console.log(path)
  process.exit()
}
for (const { folder } of PACKAGES) rmSync(join(folder, 'dist'), { recursive: true, force: true })
const declared = ['-p', 'client', '--outDir', join(CLIENT, 'dist/types')]
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), declared, { cwd: ROOT, stdio: 'inherit' })
cpSync(join(CLIENT, 'dist/types'), join(CLIENT, 'verifier/dist/types'), { recursive: true })
for (const one of PACKAGES) {
  await writeCode(one)
  writeDeclarations(one)
}
// Brotli takes a fifth less than gzip.
writeFileSync(join(CLIENT, 'dist/vectors.json.br'), brotliCompressSync(JSON.stringify(readVectors())))
writeFileSync(join(CLIENT, 'dist/verify.js'), `export * from 'tidemark-verify'\n`)
writeFileSync(join(CLIENT, 'dist/types/client/verify.d.ts'), `export * from 'tidemark-verify';\n`)

/** Bundles all entries at once, so that what several of them use is written once. @returns the text of each file */
async function bundle() {
  const { outputFiles } = await build({
    entryPoints: PACKAGES.flatMap(({ entries }) => entries).map((name) => join(ROOT, 'client', `${name}.ts`)),
    outdir: '/',
    bundle: true,
    splitting: true,
    // Names of chunks are hashes over paths, too: of this folder, wherever the build was started.
    absWorkingDir: ROOT,
    chunkNames: 'shared/[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minifySyntax: true,
    packages: 'external',
    write: false,
  })
  return new Map(outputFiles.map(({ path, text }) => [path.slice(1), text]))
}

/** Writes the files of a package and refuses imports that it does not name, and names that it does not import. */
async function writeCode({ folder, source, entries }) {
  const is_client = source === 'client'
  const own = [...outputs].filter(
    ([path]) => entries.includes(path.replace('.js', '')) || (is_client && isShared(path)),
  )
  const imported = new Set()
  mkdirSync(join(folder, 'dist/shared'), { recursive: true })
  for (const [path, text] of own) {
    const code = is_client ? text : text.replaceAll(/(?<=from ")\.\/shared\//g, SHARED)
    for (const [, specifier] of code.matchAll(/^(?:import|export)\b[^"']*["']([^."'][^"']*)["'];?$/gm))
      if (!specifier.startsWith('node:')) imported.add(packageOf(specifier))
    writeFileSync(join(folder, 'dist', path), await minified(code))
  }
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, source, 'package.json'), 'utf8'))
  const named = Object.keys(dependencies)
  const wrong = [...imported]
    .filter((name) => !named.includes(name))
    .concat(named.filter((name) => !imported.has(name)))
  if (wrong.length > 0) throw new Error(`dependencies of ${source} differ from its imports: ${wrong.join(', ')}`)
}

function isShared(path) {
  return path.startsWith('shared/')
}

/** Shortens all names but those of functions and classes. Bundlers can drop what is unused; a line of an error stays short. */
async function minified(code) {
  const reserved = [...code.matchAll(/^(?:var|let|const) (\w+) = class\b/gm)].map(([, name]) => name)
  const mangle = { keep_fnames: true, keep_classnames: true, reserved }
  const { code: short } = await minify(code, { module: true, compress: false, mangle, format: { max_line_len: 160 } })
  return short
}

function writeDeclarations({ folder, source, entries }) {
  const leaked = keepReachedDeclarations(
    join(folder, 'dist/types'),
    entries.map((name) => `client/${name}.d.ts`),
  )
  if (leaked.length > 0) throw new Error(`declarations of ${source} that name a package: ${leaked.join(', ')}`)
}

function readVectors() {
  const folder = join(ROOT, 'datasets/vectors')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  )
}

function packageOf(path) {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}
