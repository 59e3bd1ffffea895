import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextColumn } from '../../../warehouse/duckdb/write/text-column.ts'
import { TextMemory } from '../../../warehouse/duckdb/write/text-memory.ts'
import type { RowValue } from '../../../warehouse/schema.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { linkRow, queryTable, step, testWarehouse } from './fixtures.ts'

const ROWS = 5_000 // several DuckDB chunks, the last one not full

/** The column's type in DuckDB once all values are taken: an ENUM of its texts where it is coded. */
function typeOf(values: readonly RowValue[], memory = new TextMemory()) {
  const place = { where: 't.text', rows: values.length, pieces: new Int32Array(values.length), stride: 1, offset: 0 }
  const column = new TextColumn(place, memory)
  column.add({ from: 0, values: values.map((value) => [value]), at: 0 })
  return String(column.type())
}

async function readBack(texts: readonly (string | null)[]) {
  const warehouse = await testWarehouse()
  const rows = texts.map((text, n) => linkRow(`v${n}`, { index_id: `i${n % 7}`, correction_reason: text }))
  await warehouse.append('index_link', rows, step(1))
  const sql = 'SELECT correction_reason AS text FROM rows ORDER BY row_ordinal'
  const found = (await queryTable(warehouse, 'index_link', sql)).map(({ text }) => text)
  const [file] = (await warehouse.log('index_link').snapshot()).files
  return {
    found,
    stats: JSON.parse(file!.stats) as Record<'minValues' | 'maxValues' | 'nullCount', Record<string, unknown>>,
  }
}

test('property: texts come back as they were given, whether they repeat, are missing or are odd', async () => {
  const odd = fc.constantFrom('', 'a', 'Z', 'é', '\uffee', '😀', 'a\0b', "it's", 'null', ' '.repeat(300))
  const pool = fc.uniqueArray(fc.oneof(odd, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 400 })
  await fc.assert(
    fc.asyncProperty(pool, fc.integer({ min: 0, max: 3 }), async (given, holes) => {
      const wellFormed = given.map((text) => text.replaceAll(/\p{Surrogate}/gu, '?'))
      const texts = Array.from({ length: ROWS }, (_, n) => {
        return holes > 0 && n % (holes * 5) === 0 ? null : wellFormed[(n * 31) % wellFormed.length]!
      })
      expect((await readBack(texts)).found).toEqual(texts)
    }),
    { numRuns: sized(2, 12), seed: SEED },
  )
})

test.each([255, 256, 300])('%i different texts, each side of the width of a code', async (count) => {
  const texts = Array.from({ length: ROWS }, (_, n) => (n % 11 === 0 ? null : `t${(n * 7) % count}`))
  const { found, stats } = await readBack(texts)
  expect(found).toEqual(texts)
  expect([stats.minValues.correction_reason, stats.nullCount.correction_reason]).toEqual(['t0', Math.ceil(ROWS / 11)])
  expect(typeOf(texts)).toMatch(/^ENUM\('t0', 't1', 't10', /)
})

test('the file is sorted by the texts themselves', async () => {
  const warehouse = await testWarehouse()
  const names = ['b', 'a', 'é', 'Z', '', 'aa']
  const rows = Array.from({ length: ROWS }, (_, n) => linkRow(`v${n}`, { index_id: names[n % names.length]! }))
  await warehouse.append('index_link', rows, step(1))
  const ids = (await queryTable(warehouse, 'index_link', 'SELECT index_id AS id FROM rows')).map(
    ({ id }) => id as string,
  )
  expect(ids).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
})

test.each([
  ['few rows', 100, (n: number) => `t${n % 3}`],
  ['texts that hardly repeat', ROWS, (n: number) => `t${n}`],
  ['texts, a third of which repeat', ROWS, (n: number) => `t${n % (ROWS / 3)}`],
  ['no value at all', ROWS, () => null],
  ['a text with a zero byte', ROWS, (n: number) => (n === 4_000 ? 'a\0' : 'a')],
])('%s are not coded', (_, count, textAt) => {
  expect(typeOf(Array.from({ length: count }, (__, n) => textAt(n)))).toBe('VARCHAR')
})

test('texts that did not repeat are not tried as codes again for a while, and then they are', () => {
  const [memory, repeated] = [new TextMemory(), Array.from({ length: ROWS }, (_, n) => `t${n % 3}`)]
  const varied = Array.from({ length: ROWS }, (_, n) => `t${n}`)
  expect(typeOf(repeated, memory)).toMatch(/^ENUM/)
  expect(typeOf(varied, memory)).toBe('VARCHAR')
  const types = Array.from({ length: 70 }, () => typeOf(repeated, memory))
  expect(types.slice(0, 5)).toEqual(Array(5).fill('VARCHAR'))
  expect(types.at(-1)).toMatch(/^ENUM/)
})

test('batches that leave their memory to the next are read back as they were given', async () => {
  const warehouse = await testWarehouse()
  const texts = [ROWS, 700, ROWS].map((rows, batch) => Array.from({ length: rows }, (_, n) => `${batch}-${n * 977}`))
  for (const [batch, given] of texts.entries()) {
    const rows = given.map((text, n) => linkRow(`v${batch}-${n}`, { correction_reason: text }))
    await warehouse.append('index_link', rows, step(batch + 1))
  }
  const found = await queryTable(warehouse, 'index_link', 'SELECT correction_reason AS text FROM rows')
  expect(found.map(({ text }) => text).toSorted()).toEqual(texts.flat().toSorted())
})

test('something that is no text is refused by name, also after many texts', () => {
  expect(() => typeOf(Array.from({ length: ROWS }, (_, n) => (n === 4_000 ? 7 : 'a')))).toThrow(
    't.text is 7; allowed: text',
  )
})

test('property: texts that do not repeat come back, of any length, and with any characters', async () => {
  const odd = fc.constantFrom(
    '',
    'é',
    '€',
    '😀',
    'a\0b',
    'twelve bytes',
    'thirteen byte',
    '\uffee'.repeat(4),
    'x'.repeat(2000),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 30 }), fc.boolean(), async (tails, with_holes) => {
      const texts = Array.from({ length: ROWS }, (_, n) => {
        return with_holes && n % 7 === 0
          ? null
          : `${n.toString(36).slice(-(n % 9))}${tails[n % tails.length]}${n % 3 ? n : ''}`
      })
      expect((await readBack(texts)).found).toEqual(texts)
    }),
    { numRuns: sized(2, 8), seed: SEED },
  )
})
