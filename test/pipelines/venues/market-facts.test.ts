import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { createManifoldReader } from '../../../pipelines/venues/manifold/manifold-reader.ts'
import type { VenueRecords } from '../../../pipelines/venues/record.ts'
import { NOW, venuePayload } from '../../support/venue-payload.ts'
import { MARKET, payload, reader, reasons } from './kalshi/payloads.ts'
import { CONDITION, gammaMarket, newReader, YES_TOKEN } from './polymarket/support/payloads.ts'

/** Venue facts of a market's trading rules and size: trading parameters, sizes and details of its event. */

const NONE = {
  price_min: null,
  price_max: null,
  price_increment: null,
  quantity_increment: null,
  minimum_quantity: null,
  settlement_asset_id: null,
  shorting_permitted: null,
}
const grid = (step: string, least: string, greatest: string) => ({
  price_increment: step,
  price_min: least,
  price_max: greatest,
})
const CENT = grid('0.010000000', '0.010000000', '0.990000000')
const sizes = ({ metrics = [] }: VenueRecords) =>
  metrics.map(({ volume_24h, open_interest, liquidity_notional }) => [volume_24h, open_interest, liquidity_notional])

describe('polymarket', () => {
  const gamma = (changes: object = {}) => newReader()('GET /markets', [gammaMarket({ ...changes })])
  const POLYMARKET = { ...NONE, quantity_increment: '0.010000', settlement_asset_id: 'usdc' }

  test('Gamma states tick and least size; without either it states nothing', () => {
    expect(gamma({ orderPriceMinTickSize: 0.01, orderMinSize: 15 }).references[0]!.trading).toEqual({
      ...POLYMARKET,
      ...CENT,
      minimum_quantity: '15.000000',
    })
    const { orderPriceMinTickSize: _tick, orderMinSize: _least, ...silent } = gammaMarket()
    expect(newReader()('GET /markets', [silent]).references[0]!.trading).toBeNull()
  })

  test.each([['1'], ['-0.01'], ['x']])('a tick of %s is refused, its market is not', (tick) => {
    expect(gamma({ orderPriceMinTickSize: tick })).toMatchObject({
      references: [{ trading: null }],
      quarantine: [{ path: '$[0]' }],
    })
  })

  test('a tick of 0 is a missing one', () => {
    const { references, quarantine } = gamma({ orderPriceMinTickSize: 0 })
    expect([references[0]!.trading!.price_increment, quarantine]).toEqual([null, []])
  })

  test('CLOB and a changed tick update the description of Gamma; without one they give no record', () => {
    const tokens = [
      { token_id: YES_TOKEN, outcome: 'Yes', price: 0.3, winner: false },
      { token_id: '2', outcome: 'No', price: 0.7, winner: false },
    ]
    const clob = { condition_id: CONDITION, tokens, closed: false, minimum_tick_size: 0.01, minimum_order_size: 5 }
    expect(newReader()('GET /markets/{condition_id}', clob).references).toEqual([])
    const read = newReader()
    const [described] = read('GET /markets', [gammaMarket()]).references
    const tick = {
      event_type: 'tick_size_change',
      asset_id: YES_TOKEN,
      old_tick_size: '0.001',
      new_tick_size: '0.0001',
    }
    const [changed] = read('ws market', { ...tick, market: CONDITION, timestamp: '1790000000000' }).references
    expect(changed).toMatchObject({
      source_market_id: CONDITION,
      title: described!.title,
      trading: { ...POLYMARKET, ...grid('0.000100000', '0.000100000', '0.999900000') },
    })
  })

  test('sizes in USDC: a measured zero is a size, an absent one is missing', () => {
    expect(sizes(gamma({ volume24hr: 79945.98005599984, liquidity: '46944.579746', liquidityNum: 46944.58 }))).toEqual([
      ['79945.980056', null, '46944.579746'],
    ])
    expect(sizes(gamma({ volume24hr: 0, liquidity: undefined, liquidityNum: undefined }))).toEqual([
      ['0.000000', null, null],
    ])
    expect(sizes(gamma({ volume24hr: undefined, liquidity: undefined, liquidityNum: undefined }))).toEqual([])
  })

  test('an event is ongoing or ended, and ends when it is planned to', () => {
    const event = { id: '11', title: 'W', active: true, closed: false, endDate: '2026-12-31T12:00:00Z' }
    const details = (changes: object) => gamma({ events: [{ ...event, ...changes }] }).references[0]!.event_details
    expect(details({})).toMatchObject({ status: 'ongoing', starts_at: null })
    expect(details({ closed: true, startTime: '2026-12-30T18:00:00Z' })).toMatchObject({ status: 'ended' })
    expect(details({ active: false })!.status).toBeNull()
  })
})

describe('kalshi', () => {
  const read = (market: object) => reader().read(payload(KALSHI.market, { market: { ...MARKET, ...market } }))
  const trading = (market: object) => read(market).references![0]!.trading

  test('the grid of prices, whole contracts where there are no parts; tick_size alone says nothing', () => {
    expect(trading({ price_level_structure: 'linear_cent', fractional_trading_enabled: false })).toEqual({
      ...NONE,
      ...CENT,
      quantity_increment: '1.000000',
      minimum_quantity: '1.000000',
      settlement_asset_id: 'usd',
    })
    const tapered = grid('0.001000000', '0.001000000', '0.999000000')
    expect(trading({ price_level_structure: 'tapered_deci_cent' })).toEqual({
      ...NONE,
      ...tapered,
      settlement_asset_id: 'usd',
    })
    expect(trading({ tick_size: 1 })).toBeNull()
  })

  test('sizes: exact contracts before whole ones, dollars before cents, a negative liquidity is missing', () => {
    const fp = { volume_24h: 10, volume_24h_fp: '10.00', open_interest: 13679, liquidity_dollars: '68148.0600' }
    expect(sizes(read({ ...fp, liquidity: 6814806 }))).toEqual([['10.000000', '13679.000000', '68148.060000']])
    expect(sizes(read({ volume_24h_fp: '0.00', liquidity: -1 }))).toEqual([['0.000000', null, null]])
    expect(sizes(read({ liquidity: 6814806 }))).toEqual([[null, null, '68148.060000']])
    expect(sizes(read({}))).toEqual([])
    expect(reasons(read({ volume_24h: 12, volume_24h_fp: '10.00' }))).toEqual(['FIELDS_DISAGREE'])
  })

  test('a series names where its markets are settled, an event the date that it is about', () => {
    const one = reader()
    const settlement_sources = [{ name: 'EIA', url: 'https://eia.example' }, { name: 'By name' }]
    one.read(payload(KALSHI.series, { series: { ticker: 'KXELONMARS', settlement_sources } }))
    const event = { event_ticker: 'KXELONMARS-99', series_ticker: 'KXELONMARS', strike_date: '2026-05-01T00:00:00Z' }
    const { references } = one.read(payload(KALSHI.event, { event, markets: [MARKET] }))
    expect(references![0]).toMatchObject({
      resolution_sources: ['https://eia.example', 'By name'],
      event_details: { ends_at: Date.UTC(2026, 4, 1) * 1000 },
    })
  })
})

describe('manifold', () => {
  const market = {
    id: 'abc',
    question: 'Will it rain?',
    outcomeType: 'BINARY',
    probability: 0.75,
    isResolved: false,
    volume24Hours: 7.25,
    totalLiquidity: 400,
  }
  const read = (changes: object = {}) =>
    createManifoldReader(NOW).read(
      venuePayload('manifold', 'GET /v0/market/{id}', { ...market, ...changes }, '2026-07-24T12:00:00Z'),
    )

  test('sizes in play money, named as the asset; cash is another one', () => {
    expect(sizes(read())).toEqual([['7.250000', null, '400.000000']])
    expect(read().references![0]!.trading).toEqual({ ...NONE, ...CENT, settlement_asset_id: 'mana' })
    expect(read({ token: 'CASH' }).references![0]!.trading!.settlement_asset_id).toBe('cash')
  })

  test('a size that is no number takes nothing else with it', () => {
    expect(read({ totalLiquidity: 'much' })).toMatchObject({ references: [{}], quotes: [{}], quarantine: [{}] })
  })
})
