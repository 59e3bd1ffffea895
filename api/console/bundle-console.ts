import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url))

/** A file that the page loads; its name changes with its content. */
export type Asset = {
  /** Such as /assets/main-3F2A.js */
  readonly path: string
  readonly type: string
  readonly content: Buffer
  /** For the integrity attribute. */
  readonly integrity: string
}

export type ConsoleBundle = { readonly script: Asset; readonly style: Asset; readonly icon: Asset }

/**
 * The browser code of console/ as one script and one style sheet, made in memory (about half a second). Nothing of it comes
 * from another host.
 */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { outputFiles } = await build({
    absWorkingDir: CONSOLE,
    entryPoints: ['main.ts', 'app.css'],
    bundle: true,
    minify: true,
    write: false,
    outdir: '/assets',
    entryNames: '[name]-[hash]',
    format: 'esm',
    target: ['es2023', 'chrome115', 'firefox115', 'safari16.4'],
    legalComments: 'eof',
    logLevel: 'silent',
  })
  const made = (ending: string, type: string): Asset => {
    const { path, contents } = outputFiles.find((file) => file.path.endsWith(ending))!
    return asset(`/assets/${basename(path)}`, type, Buffer.from(contents))
  }
  const icon = readFileSync(`${CONSOLE}icon.svg`)
  const icon_hash = createHash('sha256').update(icon).digest('hex').slice(0, 8)
  return {
    script: made('.js', 'text/javascript; charset=utf-8'),
    style: made('.css', 'text/css; charset=utf-8'),
    icon: asset(`/assets/icon-${icon_hash}.svg`, 'image/svg+xml', icon),
  }
}

function asset(path: string, type: string, content: Buffer): Asset {
  const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`
  return { path, type, content, integrity }
}
