import Compile from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { marketPriceOf } from '../../../api/resources/market-price.ts'
import { STALE_AFTER_MICROS } from '../../../pipelines/market/freshness.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { Row } from '../../../warehouse/schema.ts'

const schema = Compile(MarketPrice)
const AT = '2026-01-01T00:10:00Z'

const MARKET: Row = {
  market_id: 'mkt_1',
  status: 'open',
  outcome_type: 'binary',
  outcomes: [{ outcome_id: 'out_yes' }, { outcome_id: 'out_no' }],
}

const quote = (fields: Row): Row => ({
  record_id: 'obs_1',
  venue_id: 'kalshi',
  source_series_id: null,
  source_market_id: 'M',
  market_id: 'mkt_1',
  outcome_id: 'out_yes',
  bid: '0.620000000',
  ask: '0.640000000',
  bid_depth: '300.000000',
  ask_depth: null,
  last_trade: null,
  source_sequence: null,
  quality_state: 'valid',
  source_at: AT,
  received_at: AT,
  confirmed_at: null,
  published_at: AT,
  ...fields,
})

const view = (quotes: readonly Row[], marks: readonly Row[] = [], at = AT) =>
  marketPriceOf({ market: MARKET, quotes, marks }, toMicros(at))

describe('market price view', () => {
  test('is the resource of the schema', () => {
    const { price } = view([quote({})])!
    expect([...schema.Errors(price)]).toEqual([])
    expect(schema.Check(price)).toBe(true)
  })

  test('an outcome of a binary market without a quote of its own shows the other one as derived, from real bids only', () => {
    const [yes, no] = view([quote({ ask: null })])!.price.outcomes
    expect(yes).toMatchObject({ best_bid: '0.620000000', best_ask: null, midpoint: null, spread: null, derived: false })
    expect(no).toMatchObject({
      best_bid: null,
      best_ask: '0.380000000',
      ask_depth: '300.000000',
      last_trade: null,
      derived: true,
      derivation_rule: 'one_minus_other_outcome',
      source_observation_ids: ['obs_1.bid'],
    })
  })

  test('an outcome without any price is null throughout, and derived from nothing', () => {
    const [yes, no] = view([quote({ bid: null, ask: null, bid_depth: null })])!.price.outcomes
    expect(yes).toMatchObject({
      best_bid: null,
      best_ask: null,
      mark: null,
      derived: false,
      source_observation_ids: [],
    })
    expect(no).toMatchObject({ best_bid: null, best_ask: null, derived: false, derivation_rule: null })
  })

  test('of several series the newest record rules: source_at, then received_at, then the greatest series', () => {
    const older = quote({ source_series_id: 'b', source_at: '2026-01-01T00:09:00Z' })
    const tie_a = quote({ source_series_id: 'a', record_id: 'obs_a' })
    const tie_b = quote({ source_series_id: 'b', record_id: 'obs_b' })
    expect(view([older, tie_a])!.price.source_series_id).toBe('a')
    expect(view([tie_a, tie_b])!.price.source_series_id).toBe('b')
  })

  test('a quote that nothing confirmed for longer than 15 minutes is stale, on the boundary still valid', () => {
    const at = (micros: number) => new Date(micros / 1000).toISOString()
    const limit = toMicros(AT) + STALE_AFTER_MICROS
    expect(view([quote({})], [], at(limit))!.price.quality_state).toBe('valid')
    expect(view([quote({})], [], at(limit + 1000))!.price.quality_state).toBe('stale')
    const confirmed = quote({ confirmed_at: '2026-01-01T00:20:00Z' })
    expect(view([confirmed], [], at(limit + 1000))!.price.quality_state).toBe('valid')
    expect(view([confirmed])!.price.source_at).toBe(AT)
  })

  test('mark and implied probability are the stored ones, with their rule and methodology', () => {
    const mark: Row = {
      mark_id: 'mrk_1',
      venue_id: 'kalshi',
      source_series_id: null,
      outcome_id: 'out_no',
      mark: '0.370000',
      mark_rule: 'M6',
      implied_probability: '0.370000',
      derived: true,
      derivation_rule: 'one_minus_other_outcome',
      source_observation_ids: ['obs_1.bid', 'obs_1.ask'],
      methodology_id: 'mth_marks',
      methodology_version: '1.0.0',
    }
    const { price } = view([quote({})], [mark])!
    expect(price.outcomes[1]).toMatchObject({ mark: '0.370000', mark_rule: 'M6', mark_observation_id: 'mrk_1.mark' })
    expect(price.methodology_id).toBe('mth_marks')
    expect(schema.Check(price)).toBe(true)
  })

  test('no quote, no view', () => {
    expect(view([])).toBeNull()
  })
})
