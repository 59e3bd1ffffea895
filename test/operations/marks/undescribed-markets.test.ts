import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importAndMark } from '../../../operations/marks/import-and-mark.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'

const RECORDED = 'datasets/recorded/kalshi_v2_recorded'
const NONE = { count: 0, first: null }
const root = mkdtempSync(join(tmpdir(), 'tidemark-undescribed-'))
afterAll(() => rmSync(root, { recursive: true }))

function folderOf(name: string, ...files: readonly string[]): string {
  const dir = join(root, name)
  mkdirSync(dir)
  for (const file of files) cpSync(join(RECORDED, file), join(dir, file))
  return dir
}

test('trades of a market that nothing describes are stored, and the report names the market until it is described', async () => {
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true })
  const load = (dir: string) => importAndMark({ archive: 'kalshi', dir, clock: 'wall', warehouse })
  const trades = folderOf('trades', 'trades_list_response.json')
  expect(await load(trades)).toMatchObject({
    records_new: 5,
    undescribed_markets: { count: 1, first: 'KXELONMARS-99' },
  })
  expect(await load(folderOf('market', 'event_single_response.json'))).toMatchObject({ undescribed_markets: NONE })
  expect(await load(trades)).toMatchObject({ records_new: 0, undescribed_markets: NONE })
  await warehouse.close()
})
