import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { npmPack } from './support/npm-pack.ts'
import { houseFolder, ROOT, sourceFiles } from './support/source-files.ts'

/** Folders of the checkout that only developers need. */
const DEVELOPMENT = ['bench', 'test', 'tools']

const { paths } = npmPack('--dry-run')

test('the npm package holds no recorded data, test, bench or tool but the build of the Temporal server', () => {
  const left_out = ['datasets/recorded/', 'datasets/golden/', ...DEVELOPMENT.map((folder) => `${folder}/`)]
  const held = paths.filter((path) => left_out.some((start) => path.startsWith(start)))
  expect(held.sort()).toEqual(['tools/temporal/ensure.mjs', 'tools/temporal/go.mod', 'tools/temporal/go.sum'])
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
