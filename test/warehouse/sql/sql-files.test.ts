import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { SQL_SETS } from '../../../vocabulary/sql-sets.ts'
import { quoteName, quoteText, readSql } from '../../../warehouse/sql/read-sql.ts'
import { houseFolder, ROOT, sourceFiles } from '../../support/source-files.ts'

const inHouse = (path: string) => ['warehouse', 'operations'].includes(houseFolder(path))
const SQL_FILES = sourceFiles(['.sql'])
  .map(({ path }) => path)
  .filter(inHouse)

/** Texts that are run as they are, and were. */
const NEVER_FILLED = /^(trading\/(migrations\/|schema\.sql)|test\/|bench\/)/
/** Invariants state rules of a few states apart from the code that they check. */
const STATED_APART = /^trading\/invariants\//

/** Enums and sets of the vocabulary by name. */
const VOCABULARY = await Promise.all(
  sourceFiles(['.ts'])
    .filter(({ path }) => houseFolder(path) === 'vocabulary')
    .map(({ path }) => import(join(ROOT, path)) as Promise<Record<string, unknown>>),
).then((modules) =>
  modules
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1])),
)

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

/** Slots that a caller with the path in a variable fills beside those next to the path. */
const FILLED_FOR_ALL: Readonly<Record<string, readonly string[]>> = {
  'operations/marks/archive-records.ts': ['counted'],
  'warehouse/reader/history/series.ts': ['rows'],
}

test('every place that names a template fills exactly its slots', () => {
  const wrong: string[] = []
  let templates = 0
  for (const { path, text } of sourceFiles(['.ts']).filter((source) => inHouse(source.path))) {
    for (const { index, 0: literal, 1: named } of text.matchAll(/'([\w./-]+\.sql)'/g)) {
      const file = posix.join(posix.dirname(path), named!)
      const before = text.slice(0, index)
      const given = /readSql\(\s*import\.meta\.url,[^,]*$/.test(before) ? [] : (FILLED_FOR_ALL[path] ?? [])
      const filled = [...given, ...keysBeside(text.slice(index + literal.length), before)].sort()
      const slots = slotsOf(file)
      if (`${filled}` !== `${slots}`) wrong.push(`${path} fills (${filled}) of ${file} (${slots})`)
      if (slots.length > 0) templates += 1
    }
  }
  expect(wrong).toEqual([])
  expect(templates).toBeGreaterThan(50)
})

test('no SQL text writes a set of the vocabulary by hand: it names it', () => {
  const files = sourceFiles(['.sql']).filter(({ path }) => !NEVER_FILLED.test(path))
  const by_hand = files.flatMap(({ path, text }) =>
    listsIn(text).flatMap(({ line, words }) => {
      const sets = Object.entries(SQL_SETS).filter(([, set]) => `${[...set].sort()}` === `${[...words].sort()}`)
      const enums = STATED_APART.test(path) ? [] : enumsOf(words)
      return [...sets.map(([name]) => name), ...enums]
        .slice(0, 1)
        .map((name) => `${path}:${line} (${words}) of ${name}`)
    }),
  )
  expect(by_hand).toEqual([])
  const texts = sourceFiles(['.ts']).filter(({ path }) => !['test', 'bench', 'tools'].includes(houseFolder(path)))
  const inline = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/\bin \(('\w+'(?:, '\w+')+)\)/gi)].map(([, list]) => `${path}: ${list}`),
  )
  expect(inline).toEqual([])
  expect(listsIn("where a in ('open', 'paused')\n or b = ['x',\n 'y'] and unnest(['p', 'q'])")).toEqual([
    { line: 1, words: ['open', 'paused'] },
    { line: 2, words: ['x', 'y'] },
  ])
  expect(enumsOf(['paused', 'open'])).toContain('MARKET_STATUSES')
})

test('SQL texts name only sets that there are, and every set is named', () => {
  const named = new Set(sourceFiles(['.sql']).flatMap(({ text }) => slotNames(text).filter(isSetName)))
  expect([...named].sort()).toEqual(Object.keys(SQL_SETS).sort())
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

function slotNames(sql: string): string[] {
  return [...sql.replaceAll(/^--.*\n/gm, '').matchAll(/\{\{(\w+)\}\}/g)].map(([, slot]) => slot!)
}

/** Names in capitals are sets of words, which every reader of SQL fills. */
function isSetName(slot: string): boolean {
  return slot === slot.toUpperCase()
}

/** Lists of two or more literal texts in brackets, with their line; those beside a list of columns have its order. */
function listsIn(sql: string): { readonly line: number; readonly words: readonly string[] }[] {
  const code = sql.replaceAll(/--.*/g, '')
  return [...code.matchAll(/(unnest\()?[([]((?:'\w+',\s*)+'\w+')[)\]]/gi)].flatMap(({ index, 1: columns, 2: list }) =>
    columns === undefined
      ? [{ line: code.slice(0, index).split('\n').length, words: list!.split(/,\s*/).map((word) => word.slice(1, -1)) }]
      : [],
  )
}

/** Names of the enums and sets of the vocabulary that contain all of these words. */
function enumsOf(words: readonly string[]): string[] {
  return VOCABULARY.flatMap(([name, values]) => (words.every((word) => values.includes(word)) ? [name] : []))
}

function slotsOf(file: string): string[] {
  return [...new Set(slotNames(readFileSync(file, 'utf8')))].filter((slot) => !isSetName(slot)).sort()
}

/** Returns the keys of the object that follows a path: the last argument of its call, or the property `slots` beside it. */
function keysBeside(after: string, before: string): string[] {
  const begin = /^(?:\s*:\s*'[^']*')?\s*,\s*(?:slots: )?(?:\{|(\w+)\))/.exec(after)
  if (begin === null) return []
  return begin[1] === undefined ? keysOf(after.slice(begin[0].length), before) : keysOfConstant(begin[1], before)
}

function keysOfConstant(name: string, before: string): string[] {
  const [, value] = before.split(new RegExp(`const ${name} = \\{`)).slice(-2)
  return value === undefined ? [`the unknown ${name}`] : keysOf(value, before)
}

/** Returns the keys of an object literal from the text after its opening bracket. */
function keysOf(text: string, before: string): string[] {
  // Texts may have brackets and commas in them.
  const code = text.replaceAll(/\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, (found) => (found[0] === '/' ? '' : '""'))
  const parts = ['']
  let depth = 0
  for (const one of code) {
    if (one === '}' && depth === 0) break
    if ('([{'.includes(one)) depth += 1
    if (')]}'.includes(one)) depth -= 1
    if (one === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += one
  }
  const keys = parts.map((part) => part.trim().split(':')[0]!).filter((key) => key !== '')
  return keys.flatMap((key) => {
    if (!key.startsWith('...')) return [key]
    const name = key.slice(3)
    return before.includes(`const ${name} = {`) ? keysOfConstant(name, before) : []
  })
}
