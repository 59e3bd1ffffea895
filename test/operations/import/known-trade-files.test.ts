import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTradeFiles } from '../../../operations/import/known-trade-files.ts'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const database = await openMemoryDatabase()
afterAll(() => database.close())

async function tradeFile(name: string, ids: readonly string[]): Promise<string> {
  const path = join(folder, name)
  const values = ids.map((id) => `('${id}', 'out_${id}', 0.5::decimal(18, 9), 10::decimal(18, 6))`).join(', ')
  await database.connection.run(
    `copy (select * from (values ${values}) t(source_trade_id, outcome_id, price, quantity)) to '${path}' (format parquet)`,
  )
  return path
}

const NO_TERMS = { outcome_ids: [], prices: [], quantities: [] }
const byId = (...source_trade_ids: string[]) => ({ source_trade_ids, terms: NO_TERMS })

test('names the files that hold one of the trades, and reads each file once', async () => {
  const files = await openTradeFiles(database)
  const [a, b, c] = [await tradeFile('a', ['1', '2']), await tradeFile('b', ['3']), await tradeFile('c', ['2', '4'])]
  expect(await files.holding([a, b], byId('2', '9'))).toEqual(new Set([a]))
  expect(await files.holding([a, b, c], byId('2', '2'))).toEqual(new Set([a, c]))
  expect(await files.holding([a, b, c], byId('9'))).toEqual(new Set())
  expect(await files.holding([a, b, c], byId())).toEqual(new Set())
  const alike = (price: string) => ({
    source_trade_ids: ['9'],
    terms: { outcome_ids: ['out_3'], prices: [price], quantities: ['10'] },
  })
  expect(await files.holding([a, b, c], alike('0.5'))).toEqual(new Set([b]))
  expect(await files.holding([a, b, c], alike('0.51'))).toEqual(new Set())
  rmSync(b)
  expect(await files.holding([a, b, c], byId('3', '4'))).toEqual(new Set([b, c]))
  expect(await files.holding([a, c], byId('3', '4'))).toEqual(new Set([c]))
  expect(await readRows(database.connection, 'select count(*)::int as n from main.trade_file')).toEqual([{ n: 5 }])
})
