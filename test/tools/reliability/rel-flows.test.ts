import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../simulator/world/random.ts'
import { Acts } from '../../../tools/reliability/flows/acts.ts'
import { differences, newMarks } from '../../../tools/reliability/flows/content.ts'
import { databaseFaults } from '../../../tools/reliability/flows/live-drill.ts'
import { kalshiTrades } from '../../../tools/reliability/flows/venue-trades.ts'
import { MINUTE, SMALL, START, smallVenue } from '../../simulator/support/small-world.ts'

describe('acts of a drill', () => {
  const KINDS = ['kill', 'cancel', 'pause'] as const

  test('each kind comes once a round; the seed chooses the order', async () => {
    const done: string[] = []
    const acts = new Acts(KINDS, createRandom('acts'))
    for (let n = 0; n < 6; n += 1) await acts.next(async (kind) => done.push(kind) > 0)
    for (const round of [done.slice(0, 3), done.slice(3)]) expect(round.toSorted()).toEqual(KINDS.toSorted())
    expect([acts.counts(), acts.missing()]).toEqual([{ kill: 2, cancel: 2, pause: 2 }, []])
  })

  test('a kind that could not be done is no act, and is named if it never could', async () => {
    const acts = new Acts(KINDS, createRandom('acts'))
    for (let n = 0; n < 30; n += 1) await acts.next(async (kind) => kind !== 'cancel')
    expect(acts.counts()).toEqual({ kill: 1, cancel: 0, pause: 1 })
    expect(acts.missing()).toEqual(['never done: cancel'])
  })
})

test('a missing, an added and a changed row are each found', () => {
  const content = (...lines: readonly string[]) => ({ public_trade: lines })
  expect(differences(content('a', 'b'), content('a', 'b'))).toEqual([])
  for (const other of [content('a'), content('a', 'b', 'b'), content('a', 'c')]) {
    expect(differences(content('a', 'b'), other)).toEqual([expect.stringMatching(/^public_trade: 2 rows expected, /)])
  }
})

test('a repeated mark is left out; a mark that returns after another, or is of another outcome, is kept', () => {
  const mark = (tick: number, outcome_id: string, value: string) =>
    Object.entries({ outcome_id, tick_at: `2026-01-01T00:0${tick}:00Z`, mark: value })
  const plain = [mark(1, 'a', '0.1'), mark(1, 'b', '0.1'), mark(3, 'a', '0.2'), mark(5, 'a', '0.1')]
  expect(newMarks([...plain, mark(2, 'a', '0.1'), mark(4, 'a', '0.2')])).toEqual(newMarks(plain))
  expect(newMarks(plain)).toHaveLength(4)
  expect(newMarks([...plain, mark(2, 'a', '0.3')])).toHaveLength(5)
})

test('a database that grew by more than its share of 200 MiB a day is named', () => {
  expect(databaseFaults(10, 17)).toEqual([])
  // 1.2 MiB a minute, as it once grew.
  expect(databaseFaults(20.4, 17)).toEqual(["Temporal's database has 20.4 MiB after 17 min; allowed: 10.4"])
})

describe('trades that a follower of a venue owes', () => {
  const { world } = smallVenue('kalshi')
  const counts = { made: 0, busted: 0, late: 0 }
  const to = START + 12 * 60 * MINUTE
  for (let at = world.nextAt(); at !== null && at < to; at = world.nextAt()) {
    for (const event of world.advance()!.events) {
      if (event.type === 'trade_corrected' && event.trade.state === 'busted') counts.busted += 1
      if (event.type !== 'traded') continue
      counts.made += 1
      if (event.trade.listed_at > event.trade.at) counts.late += 1
    }
  }
  const owedAfter = (...reads: readonly number[]) => kalshiTrades(SMALL, { reads, to }).owed.length
  const always = Array.from({ length: 12 * 60 }, (_, minute) => START + minute * MINUTE)

  test('a trade that was undone is made, but nobody has to know it', () => {
    expect(counts.busted).toBeGreaterThan(0)
    expect(kalshiTrades(SMALL, { reads: always, to }).made.size).toBe(counts.made)
    expect(owedAfter(...always)).toBeLessThanOrEqual(counts.made - counts.busted)
  })

  test('one that is listed late is owed once a read has seen it', () => {
    expect(counts.late).toBeGreaterThan(0)
    expect(owedAfter()).toBeLessThan(owedAfter(...always))
    expect(owedAfter(...always) - owedAfter()).toBeGreaterThanOrEqual(1)
  })
})
