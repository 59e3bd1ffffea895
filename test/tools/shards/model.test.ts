import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CASH_POLICIES, type Deployment, ShardModel } from '../../../tools/shards/model.ts'
import { ShardCash } from '../../../tools/shards/shard-cash.ts'
import { assignGroups, demandOf, sharesOf } from '../../../tools/shards/workload.ts'

const WORKLOAD = {
  ...{ seed: 1, orders: 400, offered_per_s: 2_000, groups: 20, group_skew: 100, accounts: 12, account_skew: 80 },
  ...{ cover: 2, cost_max: 50, hold_us: 30_000 },
}
const DEPLOYMENT: Deployment = {
  ...{ shards: 3, policy: 'ask_half', commit_us: 1_000, record_us: 100, batch_max: 50, crashes: 0, restart_us: 20_000 },
}

test('no cash is lost, made or spent twice, whatever crashes and arrives twice; each order has one answer', () => {
  const cases = fc.record({
    seed: fc.nat(1_000),
    shards: fc.integer({ min: 1, max: 5 }),
    policy: fc.constantFrom(...CASH_POLICIES),
    crashes: fc.nat(5),
    cover: fc.constantFrom(1, 2, 5),
  })
  fc.assert(
    fc.property(cases, ({ seed, cover, ...deployment }) => {
      const { accepted, refused_poor, refused_affordable } = new ShardModel(
        { ...WORKLOAD, seed, cover },
        { ...DEPLOYMENT, ...deployment },
      ).run()
      expect(accepted + refused_poor + refused_affordable).toBe(WORKLOAD.orders)
    }),
    { numRuns: 60 },
  )
})

test('a move that arrives twice counts once, and more than is free cannot leave', () => {
  const [from, to] = [new ShardCash(0, Int32Array.of(100)), new ShardCash(1, Int32Array.of(0))]
  const move = from.send(0, 60)
  expect([to.receive(move), to.receive(move)]).toEqual([true, false])
  expect([from.free(0), to.free(0)]).toEqual([40, 60])
  expect(() => from.send(0, 41)).toThrow('account 0 has 40, 41 is taken')
})

test('one shard refuses nobody who has the cash; fixed parts of it strand cash', () => {
  const stranded = (shards: number) =>
    new ShardModel({ ...WORKLOAD, cover: 1 }, { ...DEPLOYMENT, shards, policy: 'fixed' }).run().refused_affordable
  expect(stranded(1)).toBe(0)
  expect(stranded(4)).toBeGreaterThan(0)
})

test('a shard is never faster than its costs, and a batch waits for the one before', () => {
  const { latencies_us, busy } = new ShardModel(WORKLOAD, { ...DEPLOYMENT, shards: 1 }).run()
  expect(latencies_us[0]).toBeGreaterThanOrEqual(DEPLOYMENT.commit_us + DEPLOYMENT.record_us)
  expect(busy[0]).toBeLessThanOrEqual(1)
})

test('the same seed gives the same orders, and the most popular group has its share', () => {
  const orders = [...demandOf({ ...WORKLOAD, orders: 20_000 })]
  expect([...demandOf({ ...WORKLOAD, orders: 20_000 })]).toEqual(orders)
  const [share] = sharesOf(WORKLOAD.groups, WORKLOAD.group_skew)
  expect(orders.filter(({ group }) => group === 0).length / orders.length).toBeCloseTo(share!, 1)
  expect(assignGroups([0.5, 0.3, 0.2], 2)).toEqual([0, 1, 1])
})
