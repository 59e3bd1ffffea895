import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listedMarketId } from '../../../operations/own-venue/listing-policy.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { References, referenceId } from '../../operations/own-venue/support/reference-rows.ts'
import { openTestWarehouse, venueWorld } from '../../operations/own-venue/support/venue-world.ts'
import { tidemark } from '../../support/run-cli.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const fresh = withDatabase()
const folder = tempFolder()

test('a policy is shown before it is carried out, and then carried out once', async () => {
  const { url, pool } = await fresh()
  const world = await venueWorld(pool, ['acct_a'])
  await world.engine.stop()
  const root = join(folder, 'warehouse')
  const warehouse = await openTestWarehouse(root)
  const references = new References(warehouse, wallClock)
  await references.market('a', 'open')
  await references.quote('a')
  await warehouse.close()
  const policy = join(folder, 'policy.yaml')
  writeFileSync(policy, readFileSync(join(ROOT, 'datasets/listing/sandbox.yaml'), 'utf8'))
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: folder, TIDEMARK_WAREHOUSE: root }
  const run = async (...more: readonly string[]) => {
    const { exit_code, stdout } = await tidemark(['listing', 'run', policy, '--json', ...more], { environment })
    expect(exit_code).toBe(0)
    type Act = { market_id: string; command: { kind: string; to?: string }; result: string }
    const { acts } = JSON.parse(stdout) as { acts: Act[] }
    return acts.map(({ market_id, command, result }) => [market_id, command.to ?? command.kind, result])
  }
  const market_id = listedMarketId(referenceId('a'))
  expect(await run('--dry-run')).toEqual([
    [market_id, 'add_market', 'planned'],
    [market_id, 'open', 'planned'],
  ])
  expect(await run()).toEqual([
    [market_id, 'add_market', 'done'],
    [market_id, 'open', 'done'],
  ])
  expect(await run()).toEqual([])
}, 120_000)
