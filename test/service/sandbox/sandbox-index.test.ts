import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findIndex } from '../../../operations/index/load-index.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { haveSandboxIndex, SANDBOX_INDEX_ID } from '../../../service/sandbox/sandbox-index.ts'
import { sandboxMarketFiles } from '../../../service/sandbox/sandbox-markets.ts'
import { readMarketFile } from '../../../service/trading/market-file.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('the index of the sandbox is made once, over the first outcomes of its markets', async () => {
  const home = tempFolder()
  const warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
  const markets = await Promise.all(sandboxMarketFiles().map(readMarketFile))
  await haveSandboxIndex(home, warehouse, markets)
  await haveSandboxIndex(home, warehouse, markets)
  const session = await openReadSession(warehouse, { as_of: null })
  const found = await findIndex(session, SANDBOX_INDEX_ID)
  await session.close()
  await warehouse.close()
  const [version, ...others] = found!.spec.versions
  expect(others).toEqual([])
  const legs = version!.constituents.map(({ legs: [leg] }) => [leg!.market_id, leg!.outcome_id])
  expect(legs).toEqual(markets.map(({ market_id, outcomes: [first] }) => [market_id, first!.outcome_id]))
  expect(version!.effective_from).toBeGreaterThan(wallClock())
})
