import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Packages bundled because Node takes longer to find and load their files than to run them. */
const INSIDE = [
  '@duckdb/node-api',
  '@noble/curves',
  '@noble/hashes',
  'canonicalize',
  'cli-table3',
  'commander',
  'decimal.js',
  'temporal-polyfill',
  'typebox',
  'viem',
  'yaml',
]

/** CommonJS packages inside ask for Node's own modules and for packages outside by `require`, which a module does not have. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

/**
 * Bundles TypeScript entries into a folder, with source maps; other packages stay outside the bundle.
 * @param are_scripts  true: each entry is a script whose compiled code V8 can keep; such an entry has no top-level `await`. false: modules
 */
export async function writeCompiled({ root, entries, are_scripts }, folder) {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies ?? {}).filter((name) => !INSIDE.includes(name))
  await build({
    entryPoints: entries.map((entry) => join(root, entry)),
    outdir: folder,
    outbase: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: outside.flatMap((name) => [name, `${name}/*`]),
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [ownUrls],
    ...(are_scripts ? SCRIPTS : MODULES),
  })
  if (are_scripts) for (const entry of entries) await writeLoader(join(folder, entry.replace(/\.ts$/, '')))
}

const MODULES = { format: 'esm', splitting: true, outExtension: { '.js': '.mjs' }, banner: { js: REQUIRE } }

const SCRIPTS = {
  format: 'cjs',
  // Dynamic imports become calls of `require`: in a script whose bytecode was kept, Node 20 refuses them.
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  outExtension: { '.js': '.cjs' },
  banner: { js: '(function (module, require) { const exports = module.exports;' },
  footer: { js: '})' },
}

/** Writes the module that loads a script. @param file  without extension */
async function writeLoader(file) {
  const loader = new URL('./load-compiled.mjs', import.meta.url).href
  const script = `new URL('./${basename(file)}.cjs', import.meta.url)`
  await writeFile(`${file}.mjs`, `import { loadCompiled } from '${loader}'\nloadCompiled(${script})\n`)
}

/** Replaces `import.meta.url` by the URL of the source, so that a module still finds the files beside it. */
const ownUrls = {
  name: 'own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const url = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) }
    })
  },
}
