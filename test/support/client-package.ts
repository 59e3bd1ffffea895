import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './source-files.ts'

/** A package as `npm pack` makes it: its archive, and the bytes of each file in it. */
export type Packed = { readonly archive: string; readonly sizes: ReadonlyMap<string, number> }
/** The package of the client, and that of the verifier, which uses it. */
export type PackedClient = { readonly client: Packed; readonly verifier: Packed }

/** Builds and packs both packages in a folder, so that the checkout stays as it is. */
export function packClient(folder: string): PackedClient {
  const source = join(folder, 'client')
  for (const name of ['', 'verifier'])
    for (const file of ['package.json', 'README.md', 'LICENSE'])
      cpSync(join(ROOT, 'client', name, file), join(source, name, file))
  run(process.execPath, [join(ROOT, 'tools/client/build.mjs'), '--out', source], ROOT)
  return { client: packed(source, folder), verifier: packed(join(source, 'verifier'), folder) }
}

function packed(source: string, folder: string): Packed {
  const said = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], source)
  // A list until npm 11, an object by package name since.
  const [{ filename, files }] = Object.values(JSON.parse(said)) as [NpmPacked]
  return { archive: join(folder, filename), sizes: new Map(files.map(({ path, size }) => [path, size])) }
}
type NpmPacked = {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Unpacks both packages in `node_modules` of a folder, beside those packages alone that they name; and makes that a project. */
export function installClient(folder: string, { client, verifier }: PackedClient): void {
  install(folder, 'tidemark-client', client)
  install(folder, 'tidemark-verify', verifier)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
}

function install(folder: string, name: string, { archive }: Packed): void {
  const modules = join(folder, 'node_modules')
  const target = join(modules, name)
  mkdirSync(target, { recursive: true })
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', target], folder)
  const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Manifest
  for (const needed of Object.keys(dependencies)) {
    const link = join(modules, needed)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules', needed), link)
  }
}
type Manifest = { readonly dependencies: Readonly<Record<string, string>> }

/** Runs a module of plain JavaScript in a folder. @returns what it printed */
export function runModule(folder: string, code: string): string {
  return run(process.execPath, ['--input-type=module', '--eval', code], folder)
}

/** Checks the types of a module in a folder, strictly, declarations of packages included. @returns what the compiler said */
export function typeErrors(folder: string, code: string, resolution: 'nodenext' | 'bundler'): string {
  const file = join(folder, `${resolution}.ts`)
  writeFileSync(file, code)
  const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
  const options = ['--noEmit', '--strict', '--module', module, '--moduleResolution', resolution, '--target', 'es2022']
  try {
    return run(join(ROOT, 'node_modules/.bin/tsc'), [...options, '--ignoreConfig', '--types', '', file], folder)
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout || error)
  }
}

/** Bundles code for browsers as an application would. */
export async function browserBundle(folder: string, code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false },
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}

/** Text of every declaration file below a folder. */
export function declarationTexts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
}

function run(command: string, argv: readonly string[], cwd: string): string {
  return execFileSync(command, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 })
}
