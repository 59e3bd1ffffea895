import { afterAll, expect, test } from 'vitest'
import { type PublishWorld, publishWorld } from '../../../bench/support/publish-world.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'

let world: PublishWorld | null = null
afterAll(async () => world?.close())

async function count(sql: string) {
  const session = await openReadSession(world!.warehouse, { as_of: null })
  try {
    return (await session.query(sql))[0]
  } finally {
    await session.close()
  }
}

test('two publishers of one warehouse publish each tick and each mark once, whoever is faster', async () => {
  world = await publishWorld({ indexes: 4, constituents: 4, markets: 6 })
  const ports = { now: () => world!.warehouse.now(), without_clock_guards: true }
  const second = await openWarehouse({ root: world.warehouse.root, ports })
  const publishers = [openLivePublisher(world.warehouse), openLivePublisher(second)]
  const published = { levels: 0 }
  for (let minute = 0; minute < 4; minute += 1) {
    await world.nextMinute()
    for (const tick of await Promise.all(publishers.map((publisher) => publisher.publishDue())))
      published.levels += tick.levels
  }
  expect(published.levels).toBe(16)
  // One that goes on from what was stored at the first minute comes upon all that was published since.
  expect(await openLivePublisher(world.warehouse).publishDue()).toMatchObject({ levels: 0, marks: 0 })
  expect(
    await count('select count(*) as n, count(distinct (index_id, tick_at)) as chains from index_observation_history'),
  ).toEqual({ n: 16, chains: 16 })
  expect(await count('select count(*) = count(distinct mark_id) as once from market_mark_history')).toEqual({
    once: true,
  })
  expect(await count('select count(*) as n from index_link_history')).toEqual({ n: 4 })
  expect(await count(`select count(*) as n from methodology_history where methodology_id = 'mth_market_mark'`)).toEqual(
    { n: 1 },
  )
  await second.close()
}, 120_000)
