import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { Rounds } from '../../../warehouse/reader/rounds.ts'
import { sized } from '../../support/sized.ts'

/** A commit of one of two tables: when it begins and is stamped, and how long it takes to be in its log. */
type Step = { readonly table: 0 | 1; readonly after_ms: number; readonly takes_ms: number }
type Logged = { readonly stamp: Micros }

const announcement = (at: Micros) => ({ name: String(at), table: null, at })

const step: fc.Arbitrary<Step> = fc.record({
  table: fc.constantFrom(0 as const, 1 as const),
  after_ms: fc.nat(3),
  takes_ms: fc.nat(12),
})

test('whatever overlaps, memory holds what was published through its instant, and nothing else', async () => {
  const runs = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const end = new AbortController()
    const logs: readonly Logged[][] = [[], []]
    const taken: readonly Micros[][] = [[], []]
    const announced = new Set<Micros>()
    let last: Micros = 0
    // Distinct stamps, so that two commits of one table never have the same one.
    const now = (): Micros => {
      last = Math.max(last + 1, wallClock())
      return last
    }
    const store = { now: async () => now(), announced: async () => [...announced].map(announcement) }
    const rounds = new Rounds({
      store,
      interval_ms: 1,
      tables: 2,
      signal: end.signal,
      onFailure: (error) => {
        throw error
      },
    })
    const follow = (table: 0 | 1) =>
      rounds.join(async () => {
        const next = logs[table]![taken[table]!.length]
        if (next === undefined) return null
        return { stamp: next.stamp, take: () => void taken[table]!.push(next.stamp) }
      })
    const running = [rounds.run(), follow(0), follow(1)]
    const published: { readonly instant: Micros; readonly held: readonly Micros[] }[] = []
    const watch = setInterval(() => published.push({ instant: rounds.instant, held: taken.flat() }), 1)
    const tails = [Promise.resolve(), Promise.resolve()]
    for (const { table, after_ms, takes_ms } of steps) {
      await sleep(after_ms)
      // A table's commits follow each other, those of two tables overlap.
      tails[table] = tails[table]!.then(async () => {
        const stamp = now()
        announced.add(stamp)
        await sleep(takes_ms)
        logs[table]!.push({ stamp })
        announced.delete(stamp)
      })
    }
    await Promise.all(tails)
    while (taken.flat().length < steps.length) await sleep(1)
    clearInterval(watch)
    end.abort()
    await Promise.all(running)
    const all = logs.flat().map(({ stamp }) => stamp)
    expect(taken.flat().sort()).toEqual(all.sort())
    for (const { instant, held } of published.filter((one) => one.instant > 0))
      expect([...held].sort()).toEqual(all.filter((stamp) => stamp <= instant).sort())
  })
  await fc.assert(runs, { numRuns: sized(8, 200) })
}, 120_000)
