import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeTexts } from '../../../warehouse/parquet/coded-texts.ts'
import { SEED } from '../../support/seed.ts'
import { linkRow, queryTable, step, testWarehouse } from './fixtures.ts'

const ROWS = 5_000 // several DuckDB chunks, the last one not full

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
    { numRuns: 12, seed: SEED },
  )
})

test.each([255, 256, 300])('%i different texts, each side of the width of a code', async (count) => {
  const texts = Array.from({ length: ROWS }, (_, n) => (n % 11 === 0 ? null : `t${(n * 7) % count}`))
  const { found, stats } = await readBack(texts)
  expect(found).toEqual(texts)
  expect([stats.minValues.correction_reason, stats.nullCount.correction_reason]).toEqual(['t0', Math.ceil(ROWS / 11)])
  expect(
    codeTexts(
      texts.map((text) => ({ text })),
      'text',
    )?.codes.BYTES_PER_ELEMENT,
  ).toBe(count === 255 ? 1 : 2)
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
  ['no value at all', ROWS, () => null],
  ['something that is no text', ROWS, (n: number) => (n === 4_000 ? 7 : 'a')],
])('%s are not coded', (_, count, textAt) => {
  expect(
    codeTexts(
      Array.from({ length: count }, (__, n) => ({ text: textAt(n) })),
      'text',
    ),
  ).toBeNull()
})
