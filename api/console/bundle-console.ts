import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild'
import { isPackageFile } from '../../primitives/installed-file.ts'
import { SCRIPT_TARGETS } from './page-policy.ts'

const CONSOLE = fileURLToPath(new URL('../../console', import.meta.url))

/** A file that the page loads; its name changes with its content. */
export type Asset = {
  /** Such as /assets/main-3F2A.js */
  readonly path: string
  readonly type: string
  readonly content: Buffer
  /** For the integrity attribute. */
  readonly integrity: string
}

export type ConsoleBundle = {
  readonly script: Asset
  /** Scripts that the main script imports statically; the page preloads them. */
  readonly shared: readonly Asset[]
  /** Scripts that are imported when a view is first shown. */
  readonly later: readonly Asset[]
  readonly style: Asset
  readonly icon: Asset
}

/**
 * Bundles the browser code of console/ and its style sheet in memory (about half a second): one script for the common views, further
 * ones for rarely opened views. Nothing is loaded from another host.
 * @param folder  console/ of the product, real path
 */
export async function bundleConsole(folder: string = CONSOLE): Promise<ConsoleBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['main.ts', 'app.css'],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: '/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    format: 'esm',
    target: SCRIPT_TARGETS,
    legalComments: 'eof',
    logLevel: 'silent',
    plugins: [ownChunksAlone(dirname(folder))],
  })
  const scripts = outputFiles.filter(({ path }) => path.endsWith('.js')).map((file) => made(file, SCRIPT))
  const script = scripts.find(({ path }) => path.startsWith('/assets/main-'))!
  const at_once = importedAtOnce(metafile.outputs, script.path)
  return {
    script,
    shared: scripts.filter(({ path }) => at_once.includes(path)),
    later: scripts.filter(({ path }) => path !== script.path && !at_once.includes(path)),
    style: made(outputFiles.find(({ path }) => path.endsWith('.css'))!, 'text/css; charset=utf-8'),
    icon: iconAsset(folder),
  }
}

/**
 * Drops the dynamic imports of packages: they belong to features that the page does not use, and esbuild would bundle them (viem:
 * 70 kB for reading contracts).
 */
const ownChunksAlone = (root: string): Plugin => ({
  name: 'own-chunks-alone',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, importer, path }) =>
      kind === 'dynamic-import' && isPackageFile(root, importer) ? { path, external: true } : undefined,
    )
  },
})

const SCRIPT = 'text/javascript; charset=utf-8'

function made({ path, contents }: OutputFile, type: string): Asset {
  return asset(`/assets/${basename(path)}`, type, Buffer.from(contents))
}

function iconAsset(folder: string): Asset {
  const icon = readFileSync(join(folder, 'icon.svg'))
  const hash = createHash('sha256').update(icon).digest('hex').slice(0, 8)
  return asset(`/assets/icon-${hash}.svg`, 'image/svg+xml', icon)
}

/** Returns every script that a script imports statically, directly or through others. */
function importedAtOnce(outputs: Metafile['outputs'], path: string): readonly string[] {
  const of = (name: string) =>
    Object.entries(outputs)
      .filter(([file]) => basename(file) === basename(name))
      .flatMap(([, { imports }]) => imports)
      .filter(({ kind }) => kind === 'import-statement')
      .map((one) => `/assets/${basename(one.path)}`)
  const direct = of(path)
  return [...new Set([...direct, ...direct.flatMap((one) => importedAtOnce(outputs, one))])]
}

function asset(path: string, type: string, content: Buffer): Asset {
  const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`
  return { path, type, content, integrity }
}
