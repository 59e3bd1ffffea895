import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { SCRIPT_TARGETS } from './page-policy.ts'

const SITE = fileURLToPath(new URL('../../console/site', import.meta.url))

let bundled: Promise<ReadonlyMap<string, string>> | null = null

/**
 * Returns a script of the documentation's pages by name, such as site.js; null: there is none. They are bundled once in a process,
 * when the first one is asked for; a failed attempt is made again.
 */
export async function siteAsset(name: string): Promise<string | null> {
  bundled ??= bundleSite().catch((error: unknown) => {
    bundled = null
    throw error
  })
  return (await bundled).get(name) ?? null
}

/** Bundles console/site: search and copying are loaded with every page, forms and signing when a page has a form. */
async function bundleSite(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: SITE,
    entryPoints: ['site.ts'],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    outdir: '/docs/assets',
    chunkNames: '[name]-[hash]',
    format: 'esm',
    target: SCRIPT_TARGETS,
    legalComments: 'eof',
    logLevel: 'silent',
  })
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
}
