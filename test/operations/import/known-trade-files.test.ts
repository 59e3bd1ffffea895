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
  const values = ids.map((id) => `('${id}')`).join(', ')
  await database.connection.run(
    `copy (select * from (values ${values}) t(source_trade_id)) to '${path}' (format parquet)`,
  )
  return path
}

test('names the files that hold one of the trades, and reads each file once', async () => {
  const files = await openTradeFiles(database)
  const [a, b, c] = [await tradeFile('a', ['1', '2']), await tradeFile('b', ['3']), await tradeFile('c', ['2', '4'])]
  expect(await files.holding([a, b], ['2', '9'])).toEqual(new Set([a]))
  expect(await files.holding([a, b, c], ['2', '2'])).toEqual(new Set([a, c]))
  expect(await files.holding([a, b, c], ['9'])).toEqual(new Set())
  expect(await files.holding([a, b, c], [])).toEqual(new Set())
  rmSync(b)
  expect(await files.holding([a, b, c], ['3', '4'])).toEqual(new Set([b, c]))
  expect(await files.holding([a, c], ['3', '4'])).toEqual(new Set([c]))
  expect(await readRows(database.connection, 'select count(*)::int as n from main.trade_file')).toEqual([{ n: 5 }])
})
