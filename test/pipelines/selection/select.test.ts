import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '../../support/fast-check.ts'
import { type Candidate, type SelectionCounts, selectConstituents } from '../../../pipelines/selection/select.ts'
import { Decimal } from '../../../primitives/decimal.ts'

const candidate = (
  id: string,
  value: string | null,
  more: Partial<Candidate> & { status?: 'eligible' | 'unknown' } = {},
): Candidate => ({
  market_id: `mkt_${id}`,
  outcome_id: `out_${id}`,
  venue_id: 'v',
  event_id: `evt_${id}`,
  rating_id: null,
  ranking_value: value,
  ...more,
  evaluation: { status: more.status ?? 'eligible', reason_codes: [], facts: [] },
})
const COUNTS: SelectionCounts = { order: 'descending', count: 2, buffer: 0, per_venue_max: null, per_event_max: null }
const select = (
  candidates: readonly Candidate[],
  counts: Partial<SelectionCounts> = {},
  incumbents: readonly string[] = [],
) => selectConstituents(candidates, { ...COUNTS, ...counts }, new Set(incumbents.map((id) => `mkt_${id}`)))
const shown = (...args: Parameters<typeof select>) =>
  select(...args).map((one) =>
    `${one.rank ?? '-'} ${one.market_id.slice(4)} ${one.is_selected ? 'in' : 'out'} ${one.reason_codes.join('+')}`.trim(),
  )

describe('a selection', () => {
  const four = [candidate('a', '5'), candidate('b', '10'), candidate('c', '10.0'), candidate('d', '7')]

  test('ranks by the fact as a decimal, ties by market_id', () => {
    expect(shown(four)).toEqual(['1 b in', '2 c in', '3 d out RANK_BEYOND_COUNT', '4 a out RANK_BEYOND_COUNT'])
    expect(shown(four, { order: 'ascending', count: 1 })[0]).toBe('1 a in')
  })

  test('never takes a market that is not eligible, or whose ranking fact is unknown', () => {
    const others = [candidate('x', '99', { status: 'unknown' }), candidate('y', null), candidate('a', '5')]
    expect(shown(others)).toEqual(['1 a in', '- x out NOT_ELIGIBLE', '- y out RANKING_FACT_UNKNOWN'])
  })

  test('keeps an incumbent up to count + buffer, not one rank further', () => {
    expect(shown(four, { buffer: 2 }, ['a'])).toEqual([
      '1 b in',
      '2 c out RANK_BEYOND_COUNT',
      '3 d out RANK_BEYOND_COUNT',
      '4 a in KEPT_BY_BUFFER',
    ])
    expect(shown(four, { buffer: 1 }, ['a'])[3]).toBe('4 a out RANK_BEYOND_COUNT')
  })

  test('lets a better-ranked incumbent stay before a worse one if fewer places are left', () => {
    expect(shown(four, { count: 1, buffer: 3 }, ['a', 'd'])).toEqual([
      '1 b out RANK_BEYOND_COUNT',
      '2 c out RANK_BEYOND_COUNT',
      '3 d in KEPT_BY_BUFFER',
      '4 a out RANK_BEYOND_COUNT',
    ])
  })

  test('passes over whoever exceeds the limit of its venue or event', () => {
    const venues = [candidate('a', '9'), candidate('b', '8'), candidate('c', '7', { venue_id: 'w' })]
    expect(shown(venues, { per_venue_max: 1 })).toEqual(['1 a in', '2 b out VENUE_FULL', '3 c in'])
    const events = venues.map((one) => ({ ...one, event_id: one.market_id === 'mkt_c' ? 'e2' : 'e1' }))
    expect(shown(events, { per_event_max: 1 })).toEqual(['1 a in', '2 b out EVENT_FULL', '3 c in'])
  })
})

/** The rule once more, read word by word: one place after another, each time looking through everybody. */
function slowly(candidates: readonly Candidate[], counts: SelectionCounts, incumbents: ReadonlySet<string>): string[] {
  const better = (a: Candidate, b: Candidate) => {
    const [x, y] = [new Decimal(a.ranking_value!), new Decimal(b.ranking_value!)]
    if (!x.eq(y)) return counts.order === 'descending' ? x.gt(y) : x.lt(y)
    return a.market_id < b.market_id
  }
  const able = candidates.filter((one) => one.evaluation.status === 'eligible' && one.ranking_value !== null)
  const rankOf = (one: Candidate) => 1 + able.filter((other) => better(other, one)).length
  const chosen: Candidate[] = []
  const fits = (one: Candidate) =>
    !chosen.includes(one) &&
    chosen.filter((other) => other.venue_id === one.venue_id).length < (counts.per_venue_max ?? Infinity) &&
    chosen.filter((other) => other.event_id === one.event_id).length < (counts.per_event_max ?? Infinity)
  const may_stay = (one: Candidate) => incumbents.has(one.market_id) && rankOf(one) <= counts.count + counts.buffer
  while (chosen.length < counts.count) {
    const staying = able.filter((one) => fits(one) && may_stay(one))
    const pool = staying.length > 0 ? staying : able.filter(fits)
    if (pool.length === 0) break
    chosen.push(pool.reduce((best, one) => (better(one, best) ? one : best)))
  }
  return chosen.map((one) => one.market_id).sort()
}

const universe = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 60 }).map((n) => String(n).padStart(2, '0')),
    value: fc.option(fc.constantFrom('0', '1', '1.0', '1.5', '2', '10', '0.000001', '123456789012345678901.5'), {
      freq: 6,
    }),
    venue_id: fc.constantFrom('v', 'w', 'x'),
    event_id: fc.constantFrom('e1', 'e2', 'e3', 'e4'),
    status: fc.constantFrom('eligible', 'eligible', 'eligible', 'unknown' as const),
    is_incumbent: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 14 },
)
const someCounts = fc.record({
  order: fc.constantFrom('descending' as const, 'ascending' as const),
  count: fc.integer({ min: 1, max: 6 }),
  buffer: fc.integer({ min: 0, max: 4 }),
  per_venue_max: fc.option(fc.integer({ min: 1, max: 3 })),
  per_event_max: fc.option(fc.integer({ min: 1, max: 3 })),
})

test('over random universes it is what the rule says read slowly, in any order of the candidates', () => {
  fc.assert(
    fc.property(universe, someCounts, (given, counts) => {
      const candidates = given.map((one) =>
        candidate(one.id, one.value, {
          venue_id: one.venue_id,
          event_id: one.event_id,
          status: one.status as 'eligible',
        }),
      )
      const incumbents = new Set(given.filter((one) => one.is_incumbent).map(({ id }) => `mkt_${id}`))
      const ranked = selectConstituents(candidates, counts, incumbents)
      const chosen = ranked.filter((one) => one.is_selected).map((one) => one.market_id)
      expect([...chosen].sort()).toEqual(slowly(candidates, counts, incumbents))
      expect(selectConstituents([...candidates].reverse(), counts, incumbents)).toEqual(ranked)
      expect(ranked.flatMap(({ rank }) => rank ?? [])).toEqual(
        ranked.flatMap(({ rank }, i) => (rank === null ? [] : [i + 1])),
      )
      expect(ranked).toHaveLength(candidates.length)
    }),
    { numRuns: 400 },
  )
})
