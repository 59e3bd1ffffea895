import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTradeCache } from '../../../client/verify/trade-cache.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'

const at = (second: number) => toMicros('2026-01-01T00:00:00Z') + second * 1_000_000
const LEG = { market_id: 'mkt_a', outcome_id: 'out_a' } as never

type Query = { readonly start_time: string; readonly as_of: string }

/** Service with trades published at some seconds; it notes what it was asked for, and how many trades it answered. */
function service(seconds: readonly number[], is_public = true) {
  const trades = seconds.map((second, n) => ({ trade_id: `trd_${n}`, published_at: formatMicros(at(second)) }))
  const asked: Query[] = []
  const count = { answered: 0 }
  const api = {
    listPublic: async (_path: string, query: Query) => {
      asked.push(query)
      const [from, to] = [toMicros(query.start_time), toMicros(query.as_of)]
      const found = trades.filter(({ published_at }) => from <= toMicros(published_at) && toMicros(published_at) <= to)
      count.answered += found.length
      return is_public ? found : null
    },
  } as never
  const within = (from: number, to: number) => trades.filter((_one, n) => from <= seconds[n]! && seconds[n]! <= to)
  return { api, asked, count, within }
}

const seconds = fc.array(fc.nat(60), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b))
const windows = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 8 })

test('whatever windows are asked for, at once or one after the other, each has the trades of a read of its own', async () => {
  await fc.assert(
    fc.asyncProperty(seconds, windows, fc.boolean(), async (published, asked, at_once) => {
      const { api, within } = service(published)
      const cache = createTradeCache(api)
      const read = ([from, to]: readonly [number, number]) => cache.trades(LEG, at(from), at(to))
      const found: unknown[] = []
      if (at_once) found.push(...(await Promise.all(asked.map(read))))
      else for (const window of asked) found.push(await read(window))
      expect(found).toEqual(asked.map(([from, to]) => within(from, to)))
    }),
  )
})

test('windows that move on read each trade once', async () => {
  const { api, count, asked } = service(Array.from({ length: 50 }, (_, n) => n))
  const cache = createTradeCache(api)
  for (let to = 10; to < 50; to += 5) await cache.trades(LEG, at(to - 10), at(to))
  expect([count.answered, asked.length]).toEqual([46, 8])
})

test('a window beyond a gap reads its own trades alone', async () => {
  const { api, count } = service(Array.from({ length: 50 }, (_, n) => n))
  const cache = createTradeCache(api)
  await cache.trades(LEG, at(0), at(9))
  await cache.trades(LEG, at(40), at(49))
  expect(count.answered).toBe(20)
})

test('trades that are not public stay so, and a failed read is repeated', async () => {
  expect(await createTradeCache(service([1], false).api).trades(LEG, at(0), at(9))).toBeNull()
  let failures = 1
  const { api } = service([1])
  const failing = {
    listPublic: async (path: string, query: Query) => {
      if (failures-- > 0) throw new Error('gone')
      return (api as { listPublic: (path: string, query: Query) => unknown }).listPublic(path, query)
    },
  } as never
  const cache = createTradeCache(failing)
  await expect(cache.trades(LEG, at(0), at(9))).rejects.toThrow('gone')
  expect(await cache.trades(LEG, at(0), at(9))).toHaveLength(1)
})
