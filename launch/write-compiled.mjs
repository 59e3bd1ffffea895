import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Packages of hundreds of files each: Node takes longer to find and link those than all of ours. They come into the bundle. */
const INSIDE = ['typebox', 'viem']

/** Bundles TypeScript entries into a folder, with maps to the sources; other packages stay outside, where Node finds them. */
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

/** A file finds what lies beside it by its own URL, which stays the one of the source. */
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
