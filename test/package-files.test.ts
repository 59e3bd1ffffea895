import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { npmPack } from './support/npm-pack.ts'
import { houseFolder, ROOT, sourceFiles } from './support/source-files.ts'

/** Folders of the checkout that only developers need. */
const DEVELOPMENT = ['bench', 'test', 'tools']

/** Files that must stay out of the package although their folder is packed, each beside a file that is packed. */
const SECRET = ['ready.json', 'ready.json.123', 'sandbox-ready.json', 'key-encryption.key']
const { paths, planted, ignored } = packWithSecrets()

/** Packs once, for all tests: npm looks through thousands of files for seconds. */
function packWithSecrets() {
  const folder = mkdtempSync(join(ROOT, 'docs/unpacked-'))
  try {
    for (const name of ['kept.json', ...SECRET]) writeFileSync(join(folder, name), '{}')
    const { stdout } = spawnSync('git', ['check-ignore', ...SECRET.map((name) => join(folder, name))], { cwd: ROOT })
    const packed = npmPack('--dry-run').paths
    const isPlanted = (path: string) => path.startsWith('docs/unpacked-')
    return {
      paths: packed.filter((path) => !isPlanted(path)),
      planted: packed.filter(isPlanted).map((path) => path.slice(path.lastIndexOf('/') + 1)),
      ignored: String(stdout).trim().split('\n'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the npm package holds no recorded data, test, bench or tool but the build of the Temporal server', () => {
  const left_out = ['datasets/recorded/', ...DEVELOPMENT.map((folder) => `${folder}/`)]
  const held = paths.filter((path) => left_out.some((start) => path.startsWith(start)))
  expect(held.sort()).toEqual([
    'datasets/recorded/README.md',
    'tools/temporal/ensure.mjs',
    'tools/temporal/go.mod',
    'tools/temporal/go.sum',
  ])
})

test('a data set that a packed page names is in the package', () => {
  const pages = paths.filter((path) => path.endsWith('.md') && !OF_CHECKOUT.includes(path))
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    return [...text.matchAll(/datasets\/[\w./-]*\w/g)].map(([path]) => `${page} -> ${path}`)
  })
  expect(named.length).toBeGreaterThan(20)
  const isHeld = (target: string) => paths.some((path) => path === target || path.startsWith(`${target}/`))
  expect(named.filter((line) => !isHeld(line.split(' -> ')[1]!) && !OF_RECORDINGS.test(line))).toEqual([])
})

test('ready files and keys that lie in a packed folder are neither packed nor offered to git', () => {
  expect(planted).toEqual(['kept.json'])
  expect(ignored).toHaveLength(SECRET.length)
})

/** Recorded data of venues, which a page names and the package leaves out because of its size and licenses. */
const OF_RECORDINGS = /-> datasets\/recorded/

/** Pages about the checkout, whose folders for development and recorded data the package leaves out. */
const OF_CHECKOUT = ['CONTRIBUTING.md', 'CHANGELOG.md', 'datasets/README.md', 'datasets/recorded/README.md']

test('a link of a packed page leads to something in the package', () => {
  const pages = paths.filter((path) => path.endsWith('.md') && !OF_CHECKOUT.includes(path))
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/start/quant.md']))
  const broken = pages.flatMap((page) => {
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    const targets = links.map(([, link]) => normalize(join(dirname(page), link!)).replace(/\/$/, ''))
    const missing = targets.filter((target) => !paths.some((path) => path === target || path.startsWith(`${target}/`)))
    return missing.map((target) => `${page} -> ${target}`)
  })
  expect(broken).toEqual([])
})

test('the npm package holds every source of the product, and its license', () => {
  const sources = sourceFiles(['.ts', '.mjs', '.sql'])
    .map(({ path }) => path)
    .filter((path) => path.includes('/') && !DEVELOPMENT.includes(houseFolder(path)))
  expect(sources.length).toBeGreaterThan(1000)
  expect(sources.filter((path) => !paths.includes(path))).toEqual([])
  expect(paths).toContain('LICENSE')
  expect(readdirSync(ROOT)).toEqual(expect.arrayContaining(DEVELOPMENT))
})
