import { expect, test } from 'vitest'
import { fetchFixing } from '../../../client/verify/fetch-fixing.ts'
import { createTradeCache } from '../../../client/verify/trade-cache.ts'
import { decodeParameters, resolveParameters } from '../../../pipelines/index/parameters.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'

const MINUTE = 60_000_000
const CUTOFF = toMicros('2026-01-05T16:00:00Z')
const at = (minutes_before: number): Micros => CUTOFF - minutes_before * MINUTE
const OUTCOME = { market_id: 'mkt_a', outcome_id: 'out_a', source_series_id: null }
const SERIES = { ...OUTCOME, correction: null, derived: false }

const trade = (minutes_before: number, price: string) => {
  const instant = formatMicros(at(minutes_before))
  const named = { trade_id: `trd_${minutes_before}`, source_trade_id: `${minutes_before}` }
  return { ...SERIES, ...named, price, quantity: '1', source_at: instant, received_at: instant, published_at: instant }
}
const quote = (minutes_before: number, bid: string, ask: string) => {
  const instant = formatMicros(at(minutes_before))
  const named = { observation_id: `obs_${minutes_before}.bid`, revision: 1, ...OUTCOME }
  const book = { bid, ask, bid_depth: null, ask_depth: null, last_trade: null, last_trade_at: null }
  const instants = { source_at: instant, received_at: instant, published_at: instant }
  return { ...named, ...instants, quote: { ...book, reported_probability: null, confirmed_at: null } }
}

/** Fixing of three hours at the cutoff, with the paths that were asked for. */
async function fixing(trades: readonly object[], quotes: readonly { observation_id: string }[]) {
  const asked: string[] = []
  const note = <T>(path: string, answer: T) => {
    asked.push(path)
    return Promise.resolve(answer)
  }
  const api = {
    listPublic: (path: string) => note(path, trades),
    list: (path: string) => note(path, quotes),
    find: (path: string) => note(path, quotes.find(({ observation_id }) => path.endsWith(observation_id)) ?? null),
  } as never
  const rule = { at: 0, partitions: 3, partition: 60 * MINUTE, minimum: 1, trim: 0 }
  const version = { fixing: rule, methodology: { parameters: decodeParameters(resolveParameters({})) } }
  const stated = { mark_cutoff_at: formatMicros(CUTOFF) }
  const request = { stated, leg: OUTCOME, version, grace: MINUTE, as_of: CUTOFF + MINUTE } as never
  const mark = await fetchFixing(api, createTradeCache(api), request)
  return { asked, value: mark?.value.toFixed() ?? null, source_ids: mark?.source_ids ?? [] }
}

const TRADES = '/markets/mkt_a/trades'
const PRICES = '/markets/mkt_a/prices'

test('a fixing whose partitions all have trades reads no quotes', async () => {
  const trades = [trade(150, '0.20'), trade(90, '0.30'), trade(30, '0.40')]
  const found = await fixing(trades, [quote(61, '0.80', '0.82')])
  expect(found).toEqual({ asked: [TRADES], value: '0.3', source_ids: ['trd_150', 'trd_90', 'trd_30'] })
})

test('a partition without a trade has the mark of the quote at its end, which alone is read', async () => {
  const trades = [trade(150, '0.20'), trade(30, '0.40')]
  const quotes = [quote(100, '0.50', '0.52'), quote(61, '0.59', '0.61'), quote(10, '0.90', '0.92')]
  const { asked, value, source_ids } = await fixing(trades, quotes)
  expect(asked).toEqual([TRADES, PRICES, `${PRICES}/obs_61.bid`])
  expect([value, source_ids.length]).toEqual(['0.4', 4])
})

test.each(['market_id', 'outcome_id'])('a trade or a quote of another %s is behind no fixing', async (field) => {
  const trades = [trade(150, '0.20'), trade(90, '0.30'), trade(30, '0.40')]
  expect((await fixing([...trades.slice(1), { ...trades[0]!, [field]: 'other' }], [])).value).toBeNull()
  const quotes = [{ ...quote(61, '0.59', '0.61'), [field]: 'other' }]
  expect((await fixing(trades.slice(1), quotes)).value).toBeNull()
})

test('without trades and quotes there is no fixing', async () => {
  expect((await fixing([], [])).value).toBeNull()
})
