import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { FairQueue } from '../../../primitives/fair-queue.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openQueryPool, type QueryPool } from '../../../warehouse/reader/history/query-pool.ts'

const ANYBODY = () => true
let pool: QueryPool | null = null
afterEach(() => pool?.close())

describe('a fair queue', () => {
  test('serves a caller with one item after at most one of each other caller, and each caller in order', () => {
    const pushes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()), { maxLength: 60 })
    fc.assert(
      fc.property(pushes, (items) => {
        const queue = new FairQueue<{ caller: string; n: number }>()
        for (const [n, [caller]] of items.entries()) queue.push(caller, { caller, n })
        const served = Array.from({ length: items.length }, () => queue.shift(ANYBODY)!)
        expect([queue.size, queue.shift(ANYBODY)]).toEqual([0, undefined])
        for (const caller of ['a', 'b', 'c']) {
          const own = served.flatMap((one, at) => (one.caller === caller ? [{ at, n: one.n }] : []))
          expect(own.map(({ n }) => n)).toEqual(own.map(({ n }) => n).toSorted((x, y) => x - y))
          // The k-th item of a caller is served in the k-th turn, which has at most one item of each caller.
          for (const [k, { at }] of own.entries()) expect(at).toBeLessThan(3 * (k + 1))
        }
      }),
    )
  })

  test('passes over callers that may not be served', () => {
    const queue = new FairQueue<string>()
    queue.push('a', 'a1')
    queue.push('b', 'b1')
    expect(queue.shift((caller) => caller === 'b')).toBe('b1')
    expect(queue.shift((caller) => caller === 'b')).toBeUndefined()
    expect([queue.remove('a', 'a2'), queue.remove('a', 'a1'), queue.size]).toEqual([false, true, 0])
  })

  test('makes room for a caller with fewer by the newest item of the one with most', () => {
    const queue = new FairQueue<string>()
    for (const n of [1, 2, 3]) queue.push('a', `a${n}`)
    expect(queue.dropFor('a')).toBeUndefined()
    expect(queue.dropFor('b')).toBe('a3')
    queue.push('b', 'b1')
    expect(queue.dropFor('b')).toBeUndefined()
  })
})

describe('the pool of queries', () => {
  test('bounds what a caller has waiting, and makes room for another in a full queue', async () => {
    pool = openQueryPool({ ...QUERY_LIMITS, processes: 0, waiting_max: 4, waiting_of_caller_max: 3 })
    const ask = (caller: string) =>
      pool!
        .of(caller)
        .query('select 1')
        .catch((error: unknown) => error)
    const of_a = [ask('a'), ask('a'), ask('a')]
    expect(await ask('a')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', facts: { retry_after_ms: '1' } })
    void ask('b')
    void ask('c')
    expect(await of_a[2]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', facts: { retry_after_ms: '1' } })
    void ask('c')
    expect(await ask('c')).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('answers another caller at once, however many long queries the first has asked', async () => {
    pool = openQueryPool({ ...QUERY_LIMITS, processes: 2, time_ms: 60_000 })
    await pool.ready()
    const order: string[] = []
    const ask = (caller: string, rows: string) =>
      pool!
        .of(caller)
        .query(`select count(*) as n from range(${rows}) a where a.range % 7 = 3`)
        .then(
          () => order.push(caller),
          () => order.push(`${caller} was refused`),
        )
    const greedy = Array.from({ length: 8 }, () => ask('greedy', '1000000000) b, range(1000000000'))
    await ask('other', '100')
    expect(order).toEqual(['other'])
    pool.close()
    await Promise.all(greedy)
  }, 120_000)
})
