import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { houseFolder, ROOT, sourceFiles } from '../support/source-files.ts'

const run = promisify(execFile)

/** Types of launch/compiled-entry.mjs, plain JavaScript that the compiler of the tests does not read. */
type Checkout = {
  readonly root: string
  readonly told_by?: string
  readonly are_scripts?: boolean
  readonly entries: readonly string[]
  readonly sources: readonly string[]
}
type CompiledEntry = (entry: URL, checkout?: Checkout) => Promise<URL | null>
const { compiledEntry, CHECKOUT } = (await import(pathToFileURL(join(ROOT, 'launch/compiled-entry.mjs')).href)) as {
  compiledEntry: CompiledEntry
  CHECKOUT: Checkout
}

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tidemark-launch-'))
  await mkdir(join(root, 'app/inner'), { recursive: true })
  await mkdir(join(root, 'node_modules'))
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await writeFile(join(root, 'app/inner/beside.txt'), 'what lies beside')
  await write('app/inner/told.ts', told('first'))
  await write('app/main.ts', `import { told } from './inner/told.ts'\nconsole.log(told as string)\n`)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (path: string, text: string) => writeFile(join(root, path), text)
const told = (word: string) => `import { readFileSync } from 'node:fs'
export const told: string = '${word}: ' + readFileSync(new URL('./beside.txt', import.meta.url), 'utf8')
`
const compiled = (more: Partial<Checkout> = {}) =>
  compiledEntry(new URL(`${pathToFileURL(root).href}/app/main.ts`), {
    root,
    entries: ['app/main.ts'],
    sources: ['app'],
    ...more,
  })
const saidBy = async (url: URL | null) => (await run(process.execPath, [url!.pathname])).stdout.trim()
const made = () => readdir(join(root, 'node_modules/.cache/tidemark'))

describe('an entry is compiled', () => {
  test('once, and finds what lies beside its sources', async () => {
    const first = await compiled()
    expect(await saidBy(first)).toBe('first: what lies beside')
    expect(await compiled()).toEqual(first)
    expect(await made()).toHaveLength(1)
  })

  test('with packages of many files inside; others are found where they lie', async () => {
    await writeFile(join(root, 'package.json'), '{"type":"module","dependencies":{"viem":"1.0.0","pg":"1.0.0"}}')
    for (const name of ['viem', 'pg']) {
      await mkdir(join(root, 'node_modules', name))
      await write(`node_modules/${name}/package.json`, '{"type":"module","exports":"./index.js"}')
      await write(`node_modules/${name}/index.js`, `export const word = '${name} as compiled'`)
    }
    await write('app/main.ts', `import * as a from 'viem'\nimport * as b from 'pg'\nconsole.log(a.word, b.word)\n`)
    const first = await compiled()
    for (const name of ['viem', 'pg'])
      await write(`node_modules/${name}/index.js`, `export const word = '${name} as it lies'`)
    expect(await saidBy(first)).toBe('viem as compiled pg as it lies')
  })

  test('with a CommonJS package inside, which asks for a module of Node and for a package outside', async () => {
    await writeFile(join(root, 'package.json'), '{"type":"module","dependencies":{"yaml":"1.0.0","pg":"1.0.0"}}')
    const TEXTS = {
      yaml: `exports.word = require('node:path').basename('a/inside') + require('pg').word`,
      pg: `exports.word = ' outside'`,
    }
    for (const [name, text] of Object.entries(TEXTS)) {
      await mkdir(join(root, 'node_modules', name))
      await write(`node_modules/${name}/package.json`, '{"main":"./index.js"}')
      await write(`node_modules/${name}/index.js`, text)
    }
    await write('app/main.ts', `import { word } from 'yaml'\nconsole.log(word)\n`)
    expect(await saidBy(await compiled())).toBe('inside outside')
  })

  test('again when plain JavaScript among the sources has changed', async () => {
    await write('app/plain.mjs', 'export const of = 1')
    const first = await compiled()
    await write('app/plain.mjs', 'export const of = 22')
    expect(await compiled()).not.toEqual(first)
  })

  test('again when a source has changed; what runs with the older files keeps them', async () => {
    const first = await compiled()
    await write('app/inner/told.ts', told('other'))
    const second = await compiled()
    expect(await saidBy(second)).toBe('other: what lies beside')
    expect(await saidBy(first)).toBe('first: what lies beside')
  })

  test('but what is installed is not looked through', async () => {
    const installed = join(root, 'node_modules/tidemark')
    await cp(join(root, 'app'), join(installed, 'app'), { recursive: true })
    await cp(join(root, 'package.json'), join(installed, 'package.json'))
    const of = () =>
      compiledEntry(new URL('./app/main.ts', `${pathToFileURL(installed)}/`), {
        root: installed,
        entries: ['app/main.ts'],
        sources: ['app'],
      })
    const first = await of()
    await writeFile(join(installed, 'app/inner/told.ts'), told('other'))
    expect(await of()).toEqual(first)
  })

  test.each([true, false])(
    'with characters outside ASCII as they are, in texts and in patterns (script: %s)',
    async (are_scripts) => {
      await write('app/main.ts', `console.log(/^— \\p{Lu}é$/u.test('— Äé'), 'é—' as string)\n`)
      expect(await saidBy(await compiled({ are_scripts }))).toBe('true é—')
    },
  )

  test('as a script, whose bytecode the first process of a version of V8 keeps for the next', async () => {
    const kept = async (url: URL) =>
      (await readdir(join(url.pathname, '..'))).filter((name) => name.includes(`.cjs.v8-${process.versions.v8}`))
    const file = (await compiled({ are_scripts: true }))!
    expect(await saidBy(file)).toBe('first: what lies beside')
    const [code] = await kept(file)
    const path = join(file.pathname, '..', code!)
    const before = await stat(path)
    expect(await saidBy(file)).toBe('first: what lies beside')
    expect((await stat(path)).ino).toBe(before.ino)
    await writeFile(path, 'of another version')
    expect(await saidBy(file)).toBe('first: what lies beside')
    expect((await stat(path)).size).toBe(before.size)
    expect(await kept(file)).toEqual([code])
  })

  test('as a script that imports a package when it needs it, also from kept bytecode', async () => {
    await writeFile(join(root, 'package.json'), '{"type":"module","dependencies":{"pg":"1.0.0"}}')
    await mkdir(join(root, 'node_modules/pg'))
    await write('node_modules/pg/package.json', '{"main":"./index.js"}')
    await write('node_modules/pg/index.js', `exports.word = 'imported'`)
    await write('app/main.ts', `import('pg').then(({ word }) => console.log(word as string))\n`)
    const file = (await compiled({ are_scripts: true }))!
    for (const _ of [1, 2])
      expect(await run(process.execPath, [file.pathname])).toEqual({ stdout: 'imported\n', stderr: '' })
  })

  test('for a process as for the one that started it, which has told it the folder', async () => {
    const told_by = 'TIDEMARK_COMPILED_BY_A_TEST'
    onTestFinished(() => void delete process.env[told_by])
    const first = await compiled({ told_by })
    await write('app/inner/told.ts', told('other'))
    expect(await compiled({ told_by })).toEqual(first)
    const other = await compiled()
    expect(other).not.toEqual(first)
    // Folders of another place, and those that are gone, count for nothing.
    for (const folder of [join(root, 'app'), join(root, 'node_modules/.cache/tidemark/gone')]) {
      process.env[told_by] = folder
      expect(await compiled({ told_by })).toEqual(other)
    }
  })

  test('by several at once: all have the same files, and nothing half made stays', async () => {
    const urls = await Promise.all(Array.from({ length: 4 }, () => compiled()))
    expect(new Set(urls.map(String)).size).toBe(1)
    expect(await made()).toHaveLength(1)
    expect(await saidBy(urls[0]!)).toBe('first: what lies beside')
  })

  test('but older compilations are forgotten: of more than ten, those of days ago', async () => {
    const cache = join(root, 'node_modules/.cache/tidemark')
    for (let n = 0; n < 12; n += 1) {
      await mkdir(join(cache, `old-${n}`), { recursive: true })
      await utimes(join(cache, `old-${n}`), 1_000_000 + n, 1_000_000 + n)
    }
    await compiled()
    const left = (await made()).filter((name) => name.startsWith('old-'))
    expect(left.sort()).toEqual(Array.from({ length: 9 }, (_, n) => `old-${n + 3}`).sort())
  })

  test.each([
    [0o755, 0o644],
    [0o700, 0o600],
  ])('for whoever reads the sources (modes %i and %i)', async (folder_mode, file_mode) => {
    await chmod(root, folder_mode)
    await chmod(join(root, 'package.json'), file_mode)
    const file = (await compiled())!.pathname
    const modes = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    const cache = join(root, 'node_modules/.cache')
    const folders = [cache, join(cache, 'tidemark'), join(file, '../..'), join(file, '..')]
    expect(await Promise.all(folders.map(modes))).toEqual(folders.map(() => folder_mode.toString(8)))
    expect(await Promise.all([file, `${file}.map`].map(modes))).toEqual(Array(2).fill(file_mode.toString(8)))
  })

  test('but not used by whom it is closed to', async () => {
    const file = (await compiled())!.pathname
    await rm(file)
    expect(await compiled()).toBeNull()
  })

  test('not where nothing can be written', async () => {
    await rm(join(root, 'node_modules'), { recursive: true })
    await write('node_modules', 'a file')
    expect(await compiled()).toBeNull()
  })

  test('with what is wrong in a source, where one cannot be read; nothing half made stays', async () => {
    await write('app/inner/told.ts', 'export const = 1')
    await expect(compiled()).rejects.toThrow(/told\.ts:1/)
    expect(await made()).toEqual([])
  })
})

describe('a launched process', () => {
  beforeEach(async () => {
    await cp(join(ROOT, 'launch'), join(root, 'launch'), { recursive: true })
    const begin = `import { launch } from './launch/launch.mjs'\nawait launch(new URL('./cli/main.ts', import.meta.url))\n`
    await write('begin.mjs', begin)
    for (const folder of CHECKOUT.sources) await mkdir(join(root, folder), { recursive: true })
    for (const entry of CHECKOUT.entries) {
      await mkdir(join(root, entry, '..'), { recursive: true })
      await write(entry, `\n\nthrow new Error('on purpose' as string)\n`)
    }
    for (const name of ['tsx', 'esbuild', '@esbuild', 'get-tsconfig', 'resolve-pkg-maps']) await link(name)
  })
  const link = (name: string) => symlink(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
  const complaint = () =>
    run(process.execPath, [join(root, 'begin.mjs')]).catch(({ stderr }: { stderr: string }) => stderr)

  test('tells its errors by the lines of the sources', async () => {
    expect(await complaint()).toMatch(/cli\/main\.ts:3/)
    expect(await made()).toHaveLength(1)
  })

  test('runs the TypeScript where nothing can be written', async () => {
    await mkdir(join(root, 'node_modules/.cache'))
    await write('node_modules/.cache/tidemark', 'a file')
    expect(await complaint()).toMatch(/on purpose[\s\S]*cli\/main\.ts:3/)
  })
})

test('whatever is launched is an entry, and every entry is launched', () => {
  const launched = sourceFiles(['.mjs']).flatMap(({ path, text }) =>
    [...text.matchAll(/await launch\(new URL\('(.+?)'/g)].map(([, target]) =>
      new URL(target!, `file:///${path}`).pathname.slice(1),
    ),
  )
  expect(launched.sort()).toEqual([...CHECKOUT.entries].sort())
})

test('every folder of the house is among the sources, so that no change of it leaves stale files', () => {
  const apart = ['', 'console', 'test', 'bench', 'tools']
  const folders = new Set(sourceFiles(['.ts', '.mjs']).map(({ path }) => houseFolder(path)))
  expect([...CHECKOUT.sources].sort()).toEqual([...folders].filter((folder) => !apart.includes(folder)).sort())
})
