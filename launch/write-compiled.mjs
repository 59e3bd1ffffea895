import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Packages bundled because they have hundreds of files each, which Node takes longer to load than all of ours. */
const INSIDE = ['@duckdb/node-api', '@noble/curves', '@noble/hashes', 'typebox', 'viem', 'yaml']

/** CommonJS packages inside ask for Node's own modules and for packages outside by `require`, which a module does not have. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

/** Bundles TypeScript entries into a folder, with source maps; other packages stay outside the bundle. */
export async function writeCompiled(root, entries, folder) {
  await build({
    entryPoints: entries.map((entry) => join(root, entry)),
    outdir: folder,
    outbase: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: await packagesOutside(root),
    outExtension: { '.js': '.mjs' },
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [ownUrls],
  })
}

async function packagesOutside(root) {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies ?? {}).filter((name) => !INSIDE.includes(name))
  return outside.flatMap((name) => [name, `${name}/*`])
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
