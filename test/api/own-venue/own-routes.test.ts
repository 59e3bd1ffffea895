import { expect, test } from 'vitest'
import { formatMicros } from '../../../primitives/instants.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { liveFlow, startWorld, submitInPortions, until, withEnds } from './own-world.ts'
import { type ServedVenue, type Stored, serveVenue } from './serve-venue.ts'

const database = withDatabase()
const atEnd = withEnds()

/** A flow that has ended, and a process that has all of it. */
async function afterFlow(pool: Pool, seed: number, stored: Stored = {}, complementary = false) {
  const world = await startWorld(pool, complementary)
  atEnd(world.stop)
  const { maker } = world
  const crossing = Array.from({ length: 30 }, (_, nth) => {
    const terms = { outcome_id: nth % 3 === 0 ? 'out_no' : 'out_yes', quantity: `${1 + nth}` }
    const at = (side: 'BUY' | 'SELL', limit_price: string) => ({ ...terms, side, limit_price })
    return [maker.place('acct_a', at('SELL', '0.30')), maker.place('acct_b', at('BUY', '0.70'))]
  })
  await submitInPortions(world.engine.client, [...liveFlow(seed, 80), ...crossing.flat()], 10)
  await untilNothingExpires(pool)
  const api = await serveVenue(pool, stored)
  atEnd(api.stop)
  await until(() => api.venue.market('mkt_1') !== null)
  return { api, world }
}

const TABLE = `
  SELECT trade_id, outcome_id, price, quantity, aggressor_side, engine_sequence, at
  FROM trading.trade ORDER BY engine_sequence`

type TradeShown = { readonly trade_id: string; readonly [field: string]: unknown }

type Page = { readonly next_cursor: string | null; readonly has_more: boolean }

async function pagesAfter(api: ServedVenue, limit: number, first: Page, query = ''): Promise<TradeShown[]> {
  const trades: TradeShown[] = []
  for (let page = first; page.has_more; ) {
    const { status, body } = await api.get(`/markets/mkt_1/trades?limit=${limit}${query}&cursor=${page.next_cursor}`)
    expect(status).toBe(200)
    assertMatchesOperation('list_trades', body)
    trades.push(...body.data)
    page = body.page
  }
  return trades
}

async function allTrades(api: ServedVenue, query: string): Promise<TradeShown[]> {
  const { body } = await api.get(`/markets/mkt_1/trades?limit=7${query}`)
  assertMatchesOperation('list_trades', body)
  return [...body.data, ...(await pagesAfter(api, 7, body.page, query))]
}

test('the pages of trades are the trade table, whole and by outcome and time', async () => {
  const { pool } = await database()
  const { api } = await afterFlow(pool, 51)
  const table = (await pool.query(TABLE)).rows
  expect(table.length).toBeGreaterThan(30)
  const ids = (trades: readonly { trade_id: string }[]) => trades.map(({ trade_id }) => trade_id)
  const shown = await allTrades(api, '')
  expect(shown).toEqual(
    table.map(({ trade_id, outcome_id, price, quantity, aggressor_side, engine_sequence, at }) => ({
      trade_id,
      market_id: 'mkt_1',
      outcome_id,
      price: `0.${price}0000000`,
      quantity: `${quantity / 100}.000000`,
      aggressor_side,
      venue_id: 'tidemark',
      source_series_id: null,
      source_trade_id: trade_id,
      source_trade_ids: [trade_id],
      source_sequence: engine_sequence,
      source_at: formatMicros(at),
      received_at: formatMicros(at),
      published_at: formatMicros(at),
      correction: null,
      derived: false,
      derivation_rule: null,
      match_kind: null,
      segments: [],
    })),
  )
  const yes = table.filter(({ outcome_id }) => outcome_id === 'out_yes')
  expect(ids(await allTrades(api, '&outcome_id=out_yes'))).toEqual(ids(yes))
  const full = await api.get(`/markets/mkt_1/trades?limit=${table.length}`)
  expect(full.body.page).toEqual({ next_cursor: null, has_more: false })
  const foreign = await api.get('/markets/mkt_1/trades?outcome_id=out_other')
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'MARKET_OUTCOME_NOT_FOUND'])
  expect(foreign.body.error.message).toMatch(/one of out_yes \(\w+\), out_no \(\w+\)/)
  const [start, end] = [table[10].at, table[25].at]
  const stretch = table.filter(({ at }) => at >= start && at < end)
  const times = `&start_time=${formatMicros(start)}&end_time=${formatMicros(end)}`
  expect(ids(await allTrades(api, times))).toEqual(ids(stretch))
  expect(JSON.stringify(shown)).not.toMatch(/acct_|ord_|fil_/)
})

/** A trade by the other name: 1 - price, the opposite side. */
function mirrored(trade: TradeShown): TradeShown {
  const outcome_id = trade.outcome_id === 'out_yes' ? 'out_no' : 'out_yes'
  const price = (1 - Number(trade.price)).toFixed(9)
  const aggressor_side = trade.aggressor_side === 'BUY' ? 'SELL' : 'BUY'
  return { ...trade, outcome_id, price, aggressor_side, derived: true, derivation_rule: 'complement' }
}

test('a complementary market: each trade once, on both tapes, and two books that are one', async () => {
  const { pool } = await database()
  const { api } = await afterFlow(pool, 58, {}, true)
  const shown = await allTrades(api, '')
  const table = (await pool.query(`${TABLE.replace('at\n', 'at, segments\n')}`)).rows
  const named = ({ trade_id, outcome_id }: { trade_id: string; outcome_id?: unknown }) => `${trade_id} ${outcome_id}`
  expect(shown.map(named)).toEqual(table.map(named))
  expect(new Set(shown.map(({ match_kind }) => match_kind)).size).toBeGreaterThan(2)
  for (const [nth, { segments, match_kind }] of shown.entries()) {
    const kinds = table[nth].segments.map((segment: { match_kind: string }) => segment.match_kind)
    expect(match_kind).toBe(kinds.length === 1 ? kinds[0] : 'mixed')
    expect(segments).toEqual(
      table[nth].segments.map((segment: { quantity: number }) => {
        return { ...segment, quantity: (segment.quantity / 100).toFixed(6) }
      }),
    )
  }
  const tapes = new Map<string, TradeShown[]>()
  for (const outcome_id of ['out_yes', 'out_no']) {
    const tape = await allTrades(api, `&outcome_id=${outcome_id}`)
    expect(tape).toEqual(shown.map((trade) => (trade.outcome_id === outcome_id ? trade : mirrored(trade))))
    tapes.set(outcome_id, tape)
  }
  const books = await Promise.all(
    ['out_yes', 'out_no'].map(async (outcome_id) => {
      const { body } = await api.get(`/markets/mkt_1/orderbook?outcome_id=${outcome_id}`)
      assertMatchesOperation('get_order_book', body)
      return body.data
    }),
  )
  const [yes, no] = books
  type Level = (typeof yes)['bids'][number]
  const other = ({ price, parts, ...level }: Level): Level => {
    const flipped = parts.map(({ derived, ...part }: Level['parts'][number]) => {
      return { ...part, derived: !derived, derivation_rule: derived ? null : 'complement' }
    })
    const sorted = flipped.sort((a: { derived: boolean }) => (a.derived ? 1 : -1))
    const is_derived = sorted.some((part: { derived: boolean }) => part.derived)
    return { price: (1 - Number(price)).toFixed(9), ...level, derived: is_derived, parts: sorted }
  }
  expect(yes.bids.length + yes.asks.length).toBeGreaterThan(2)
  expect([no.bids, no.asks]).toEqual([yes.asks.map(other), yes.bids.map(other)])
  expect(no.sequence).toBe(yes.sequence)
  const price = await api.get('/markets/mkt_1/price')
  assertMatchesOperation('get_market_price', price.body)
  for (const { outcome_id, last_trade, last_trade_at, derived, derivation_rule } of price.body.data.outcomes) {
    const last = tapes.get(outcome_id)!.at(-1)!
    expect([last_trade, last_trade_at]).toEqual([last.price, last.source_at])
    const { bids, asks } = books.find((book) => book.outcome_id === outcome_id)
    const tops = [bids[0], asks[0]].filter((level) => level !== undefined)
    const is_derived = tops.every(({ parts }) => parts.every((part: { derived: boolean }) => part.derived))
    expect([derived, derivation_rule]).toEqual(is_derived ? [true, 'complement'] : [false, null])
  }
  const market = await api.get('/markets/mkt_1')
  assertMatchesOperation('get_market', market.body)
  expect(market.body.data.trading_parameters.complementary).toBe(true)
  const complements = market.body.data.outcomes.map((one: Level) => [one.outcome_id, one.complementary_outcome_id])
  expect(complements).toEqual([
    ['out_yes', 'out_no'],
    ['out_no', 'out_yes'],
  ])
})

test('a cursor keeps the instant of its first page, in every process: later trades are no part of it', async () => {
  const { pool } = await database()
  const { api, world } = await afterFlow(pool, 52)
  const before = (await pool.query(TABLE)).rows
  const first = await api.get('/markets/mkt_1/trades?limit=10')
  const { maker, engine } = world
  await engine.client.submit(maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'open' }))
  await engine.client.submit(maker.place('acct_a', { side: 'SELL', limit_price: '0.01' }))
  await engine.client.submit(maker.place('acct_b', { side: 'BUY', limit_price: '0.99' }))
  expect((await pool.query(TABLE)).rows.length).toBeGreaterThan(before.length)
  const other = await serveVenue(pool)
  atEnd(other.stop)
  await until(() => other.venue.market('mkt_1') !== null)
  const shown = [...first.body.data, ...(await pagesAfter(other, 10, first.body.page))]
  expect(shown.map(({ trade_id }) => trade_id)).toEqual(before.map(({ trade_id }) => trade_id))
})

test('book and price view are the venue’s, also of a market that the warehouse has not seen', async () => {
  const { pool } = await database()
  const { api } = await afterFlow(pool, 53)
  const book = await api.get('/markets/mkt_1/orderbook?outcome_id=out_yes&depth=2')
  assertMatchesOperation('get_order_book', book.body)
  const { rows } = await pool.query(`
    SELECT max(engine_sequence) AS last FROM trading.engine_event
    WHERE kind = 'book' AND body ->> 'outcome_id' = 'out_yes'`)
  const is_empty = book.body.data.bids.length + book.body.data.asks.length === 0
  const quality_state = is_empty ? 'suspended' : 'valid'
  expect(book.body.data).toMatchObject({ sequence: rows[0].last, asks_derived: false, quality_state })
  expect(book.body.data.bids.length).toBeLessThanOrEqual(2)
  const price = await api.get('/markets/mkt_1/price')
  assertMatchesOperation('get_market_price', price.body)
  const last = await pool.query(`SELECT outcome_id, price FROM trading.trade ORDER BY engine_sequence DESC LIMIT 1`)
  const { outcome_id, price: traded } = last.rows[0]
  const view = price.body.data.outcomes.find((outcome: { outcome_id: string }) => outcome.outcome_id === outcome_id)
  expect(view.last_trade).toBe(`0.${traded}0000000`)
  const yes = price.body.data.outcomes[0]
  expect([yes.best_bid, yes.best_ask]).toEqual([
    book.body.data.bids[0]?.price ?? null,
    book.body.data.asks[0]?.price ?? null,
  ])
  expect(price.body.data).toMatchObject({ venue_id: 'tidemark', source_market_id: 'mkt_1', methodology_id: null })
  expect(price.body.meta).not.toHaveProperty('stale')
  const detail = await api.get('/markets/mkt_1')
  assertMatchesOperation('get_market', detail.body)
  expect(detail.status).toBe(200)
  expect((await api.get('/markets/mkt_1/orderbook?outcome_id=out_other')).body.error.code).toBe(
    'MARKET_OUTCOME_NOT_FOUND',
  )
})

test('a mark that the warehouse has published stands in the view with what it is of', async () => {
  const { pool } = await database()
  const mark = {
    mark_id: 'mrk_1',
    venue_id: 'tidemark',
    source_series_id: null,
    market_id: 'mkt_1',
    outcome_id: 'out_yes',
    mark: '0.512345678',
    implied_probability: '0.512345678',
    mark_rule: 'midpoint',
    tick_at: '2026-01-01T00:00:00Z',
    derived: false,
    source_observation_ids: ['obs_1.bid'],
    methodology_id: 'mth_1',
    methodology_version: '1.0.0',
    published_at: '2026-01-01T00:00:00.000000Z',
  }
  const { api } = await afterFlow(pool, 54, { marks: [mark] })
  const { body } = await api.get('/markets/mkt_1/price')
  assertMatchesOperation('get_market_price', body)
  expect(body.data.outcomes[0]).toMatchObject({
    mark: '0.512345678',
    mark_observation_id: 'mrk_1.mark',
    mark_at: '2026-01-01T00:00:00Z',
    source_observation_ids: ['obs_1.bid'],
  })
  expect(body.data).toMatchObject({ methodology_id: 'mth_1' })
})
