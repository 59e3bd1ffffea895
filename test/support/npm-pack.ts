import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from './source-files.ts'

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

/** Runs `npm pack` on the checkout and returns the archive's name and the paths in it. */
export function npmPack(...options: string[]): { filename: string; paths: string[] } {
  const argv = ['pack', '--json', '--ignore-scripts', ...options]
  const { error, status, stdout, stderr } = spawnSync('npm', argv, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (error) throw error
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr}`)
  // A list until npm 11, an object by package name since.
  const [{ filename, files }] = Object.values(JSON.parse(stdout)) as [Packed]
  return { filename, paths: files.map(({ path }) => path) }
}

/** Gives a folder the package `tidemark-client`, compiled in one file: a loader of TypeScript takes seconds of the processor. */
export function linkClient(folder: string): void {
  const client = join(folder, 'node_modules/tidemark-client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{"type":"module","exports":"./index.js"}')
  const entryPoints = [join(ROOT, 'client/index.ts')]
  const node = { format: 'esm', platform: 'node', target: 'node20' } as const
  buildSync({ entryPoints, outfile: join(client, 'index.js'), bundle: true, ...node })
}
