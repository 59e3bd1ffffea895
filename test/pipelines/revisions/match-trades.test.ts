import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MATCH_WINDOW, matchTrades, type TradeReport } from '../../../pipelines/revisions/match-trades.ts'
import { tradeChain } from '../../../pipelines/revisions/trade-revisions.ts'
import { createPolymarketReader } from '../../../pipelines/venues/polymarket/polymarket-reader.ts'
import { endOf } from '../../../simulator/world/options.ts'
import { recordSmall, SECOND, SMALL, START } from '../../simulator/support/small-world.ts'

const report = (source_trade_id: string, seconds: number, changes: Partial<TradeReport> = {}): TradeReport => ({
  venue_id: 'polymarket',
  source_market_id: '0xm',
  source_trade_id,
  first_source_trade_id: null,
  outcome_id: 'out_yes',
  price: '0.5',
  quantity: '10',
  aggressor_side: 'BUY',
  source_at: START + seconds * SECOND,
  ...changes,
})

/** Stores reports in batches, and returns the first id of each, in their order. */
function firstIds(reports: readonly TradeReport[], batch_size = reports.length || 1): string[] {
  const stored: TradeReport[] = []
  for (let from = 0; from < reports.length; from += batch_size) {
    const batch = reports.slice(from, from + batch_size)
    const first = matchTrades([...stored], batch)
    const idOf = (one: TradeReport) => first.get(tradeChain(one.venue_id, one.source_market_id, one.source_trade_id))!
    stored.push(...batch.map((one) => ({ ...one, first_source_trade_id: idOf(one) })))
  }
  return stored.map((one) => one.first_source_trade_id!)
}

/** Number of trades that some reports are about. */
const tradesIn = (reports: readonly TradeReport[], batch_size?: number) => new Set(firstIds(reports, batch_size)).size

describe('reports of one trade', () => {
  test('of both feeds are one, named by the first; a repeated report changes nothing', () => {
    const [streamed, settled] = [report('tape_a', 0.4), report('fill_a', 0)]
    for (const size of [1, 2, 4]) {
      expect(firstIds([streamed, settled, streamed, settled], size)).toEqual(Array(4).fill('tape_a'))
      expect(firstIds([settled, streamed, settled], size)).toEqual(Array(3).fill('fill_a'))
    }
  })

  test.each([
    ['another price', { price: '0.51' }],
    ['another quantity', { quantity: '11' }],
    ['another outcome', { outcome_id: 'out_no' }],
    ['another market', { source_market_id: '0xn' }],
    ['the other side', { aggressor_side: 'SELL' as const }],
    ['too late', { source_at: START + MATCH_WINDOW.after + 1 }],
    ['too early', { source_at: START - MATCH_WINDOW.before }],
    ['a venue whose ids are the same in every feed', { venue_id: 'kalshi' }],
  ])('%s is another trade', (_, changes) => {
    expect(tradesIn([report('tape_a', 0), report('fill_a', 0, changes)])).toBe(2)
  })

  test('a side that one feed does not state is no difference', () => {
    expect(tradesIn([report('tape_a', 0), report('fill_a', 0, { aggressor_side: null })])).toBe(1)
  })

  test('two reports of one feed are two trades, however alike', () => {
    expect(tradesIn([report('tape_a', 0), report('tape_b', 0), report('fill_a', 0)])).toBe(2)
    expect(tradesIn([report('fill_a', 0), report('fill_b', 0), report('tape_a', 0)])).toBe(2)
  })

  test('a message that one feed missed shifts nothing', () => {
    const streamed = [report('tape_a', 0), report('tape_c', 4)]
    const settled = [report('fill_c', 4), report('fill_a', 0), report('fill_b', 2)]
    expect(firstIds([...streamed, ...settled], 2)).toEqual(['tape_a', 'tape_c', 'tape_c', 'tape_a', 'fill_b'])
  })

  test('stored decisions stay, whatever would match better now', () => {
    const decided = { first_source_trade_id: 'tape_a' }
    const known = [report('tape_a', 0, decided), report('fill_b', 3, decided)]
    expect([...matchTrades(known, [report('fill_a', 0)]).values()]).toEqual(['tape_a', 'tape_a', 'fill_a'])
  })

  test('reports stored before the rule are matched among themselves first', () => {
    const known = [report('tape_a', 0), report('fill_a', 0)]
    expect([...matchTrades(known, [report('fill_b', 1)]).values()]).toEqual(['tape_a', 'tape_a', 'fill_b'])
  })

  test('random feeds: as many trades as the feed with more reports has, if both see each trade', () => {
    const trades = fc.array(
      fc.record({ second: fc.integer({ min: 0, max: 90 }), lots: fc.integer({ min: 1, max: 2 }) }),
    )
    fc.assert(
      fc.property(trades, fc.boolean(), (drawn, settled_first) => {
        const quantity = (lots: number) => ({ quantity: String(lots) })
        const streamed = drawn.map(({ second, lots }, n) => report(`tape_${n}`, second + 0.7, quantity(lots)))
        const settled = drawn.map(({ second, lots }, n) => report(`fill_${n}`, second, quantity(lots)))
        const all = settled_first ? [...settled, ...streamed] : [...streamed, ...settled.reverse()]
        expect(tradesIn(all)).toBe(drawn.length)
      }),
    )
  })
})

describe('a recorded day of the stream and the Data API', () => {
  const { payloads, truth } = recordSmall('polymarket')
  const reader = createPolymarketReader(endOf(SMALL))
  const trades = payloads.flatMap(({ endpoint, request, received_at, body }) => {
    const payload = { venue_id: 'polymarket', endpoint, request, received_at, file: 'small', text: body } as const
    return [...(reader.read(payload).trades ?? [])]
  })
  const reports = trades.map((trade) => ({ ...trade, first_source_trade_id: null, outcome_id: trade.outcome }))
  const of = (prefix: string) => reports.filter(({ source_trade_id }) => source_trade_id.startsWith(prefix))
  const distinct = (some: readonly TradeReport[]) => new Set(some.map(({ source_trade_id }) => source_trade_id)).size

  test('has each trade once, in whatever order the feeds are read', () => {
    const [streamed, settled] = [of('tape_'), of('fill_')]
    const orders = [reports, [...streamed, ...settled], [...settled, ...streamed], [...reports].reverse()]
    const counts = orders.map((one) => tradesIn(one))
    expect(distinct(streamed) + distinct(settled)).toBeGreaterThan(truth.trades.made * 1.5)
    expect(counts).toEqual(Array(4).fill(truth.trades.made))
  })
})
