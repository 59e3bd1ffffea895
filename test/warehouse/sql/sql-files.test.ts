import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { quoteName, quoteText, readSql } from '../../../warehouse/sql/read-sql.ts'
import { houseFolder, sourceFiles } from '../../support/source-files.ts'

const inHouse = (path: string) => ['warehouse', 'operations'].includes(houseFolder(path))
const SQL_FILES = sourceFiles(['.sql'])
  .map(({ path }) => path)
  .filter(inHouse)

/** By SQL file, the files that name it: every text literal that ends in `.sql` is a path from its own file. */
const users = new Map<string, string[]>()
for (const { path, text } of sourceFiles(['.ts'])) {
  if (!inHouse(path)) continue
  for (const [, named] of text.matchAll(/'([\w./-]+\.sql)'/g)) {
    const file = posix.join(posix.dirname(path), named!)
    users.set(file, [...(users.get(file) ?? []), path])
  }
}

test('every SQL file that code names exists', () => {
  expect(users.size).toBeGreaterThan(100)
  expect([...users.keys()].filter((file) => !SQL_FILES.includes(file))).toEqual([])
})

test('every SQL file is in the sql folder of the nearest folder that all of its users share', () => {
  const astray = SQL_FILES.filter(
    (file) => file !== `${nearestFolder(users.get(file) ?? [])}/sql/${posix.basename(file)}`,
  )
  expect(astray).toEqual([])
})

test('only these callers are given their path: the lines around them name it', () => {
  const calls = sourceFiles(['.ts']).flatMap(({ path, text }) =>
    inHouse(path)
      ? [...text.matchAll(/readSql\(\s*import\.meta\.url,\s*([^'\s,)]+)/g)].map(([, name]) => `${path}: ${name}`)
      : [],
  )
  expect(calls.sort()).toEqual([
    'operations/import/read-known.ts: path',
    'operations/marks/archive-records.ts: path',
    'operations/own-venue/load-venue-state.ts: path',
    'warehouse/audit/check-rows.ts: path',
    'warehouse/reader/history/series.ts: records',
  ])
})

test('slots and their texts match one to one', () => {
  const read = (slots: Record<string, string>) =>
    readSql(import.meta.url, '../../../warehouse/sql/rows_where.sql', slots)
  const slots = { columns: 'a', rows: 'b', known: 'c' }
  expect(read(slots)).toContain('select a from b\nwhere c\n')
  expect(() => read({ columns: 'a', rows: 'b' })).toThrow('rows_where.sql: no text for {{known}}')
  expect(() => read({ ...slots, order: 'd' })).toThrow('rows_where.sql: no slot for order')
})

test('names and texts are quoted', () => {
  expect([quoteName('a"b'), quoteText("a'b")]).toEqual(['"a""b"', "'a''b'"])
})

function nearestFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => posix.dirname(path).split('/'))
  const [first = []] = folders
  const shared = first.findIndex((name, depth) => folders.some((folder) => folder[depth] !== name))
  return first.slice(0, shared < 0 ? first.length : shared).join('/')
}
