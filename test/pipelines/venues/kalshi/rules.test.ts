import { describe, expect, test } from 'vitest'
import { parseJsonText } from '../../../../pipelines/text/json-scan.ts'
import { objectOf } from '../../../../pipelines/text/json-text.ts'
import { KALSHI, kalshiEndpointOf, kalshiRequestOf } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { cutoffOf, routeByCutoff } from '../../../../pipelines/venues/kalshi/historical-cutoff.ts'
import { readTime } from '../../../../pipelines/venues/kalshi/times.ts'
import { finestStep } from '../../../../pipelines/venues/kalshi/trading.ts'
import { parseRecord } from '../../../../pipelines/venues/quarantine.ts'
import { formatMicros, toMicros } from '../../../../primitives/instants.ts'

describe('finestStep: the spec’s single price_increment cannot express tapered grids, so the finest step is published', () => {
  test.each([
    ['linear_cent', '0.01'],
    ['deci_cent', '0.001'],
    ['tapered_deci_cent', '0.001'],
    ['unheard_of', null],
    ['constructor', null],
    [undefined, null],
  ])('%s alone is %s', (price_level_structure, step) => {
    expect(finestStep({ price_level_structure })).toBe(step)
  })

  test('ranges count before the name; tick_size is never read', () => {
    const range = (start: string, end: string, step: string) => ({ start, end, step })
    const price_ranges = [
      range('0.0000', '0.1000', '0.0010'),
      range('0.1000', '0.9000', '0.0100'),
      range('0.9000', '1.0000', '0.0010'),
    ]
    expect(finestStep({ price_level_structure: 'linear_cent', price_ranges, tick_size: '1' })).toBe('0.001')
    expect(finestStep({ tick_size: '1' })).toBeNull()
  })

  test.each(['0', '0.0000', '-0.01', '1', '1e-3', 'x', null])('a step of %s is ignored: the name counts', (step) => {
    expect(finestStep({ price_level_structure: 'linear_cent', price_ranges: [{ step }] })).toBe('0.01')
  })
})

describe('historical cutoff', () => {
  const BODY = {
    market_settled_ts: '2025-12-05T00:00:00Z',
    trades_created_ts: '2025-12-04T00:00:00Z',
    orders_updated_ts: '2025-12-04T00:00:00Z',
  }

  const read = (text: string) => parseRecord(() => cutoffOf(objectOf(parseJsonText(text))))

  test('its instants; those for trades may be missing', () => {
    expect(read(JSON.stringify(BODY))).toEqual({
      record: {
        market_settled_at: toMicros('2025-12-05T00:00:00Z'),
        trades_created_at: toMicros('2025-12-04T00:00:00Z'),
      },
    })
    const { trades_created_ts, ...without } = BODY
    expect(read(JSON.stringify(without))).toMatchObject({ record: { trades_created_at: null } })
    expect(read('{}')).toMatchObject({ reason: 'MISSING_FIELD' })
  })

  test('before the cutoff historical, from it on live; and the cutoff moves', () => {
    const cutoff = toMicros('2025-12-05T00:00:00Z')
    expect([cutoff - 1, cutoff, cutoff + 1].map((instant) => routeByCutoff(cutoff, instant))).toEqual([
      'historical',
      'live',
      'live',
    ])
    expect(routeByCutoff(cutoff + 1, cutoff)).toBe('historical')
  })
})

describe('P10: one parser for all times of the venue', () => {
  const time = (text: string) => {
    const parsed = parseRecord(() => readTime(text))
    return 'record' in parsed ? formatMicros(parsed.record) : parsed.reason
  }
  test.each([
    ['1768194000', '2026-01-12T05:00:00Z'],
    ['1768194000123', '2026-01-12T05:00:00.123Z'],
    ['946684800', '2000-01-01T00:00:00Z'],
    ['946684799', 'BAD_DATE'],
    ['4102444799', '2099-12-31T23:59:59Z'],
    ['4102444800', 'BAD_DATE'],
    ['946684800000', '2000-01-01T00:00:00Z'],
    ['946684799999', 'BAD_DATE'],
    ['17681940001', 'BAD_DATE'],
    ['-1768194000', 'BAD_DATE'],
    ['1768194000.5', 'BAD_DATE'],
    ['2026-01-12T05:00:00Z', '2026-01-12T05:00:00Z'],
    ['2026-01-12T05:00:00.37315Z', '2026-01-12T05:00:00.373150Z'],
    ['2026-01-12T05:00:00.123456789Z', '2026-01-12T05:00:00.123456Z'],
    ['2026-01-12T00:00:00-05:00', '2026-01-12T05:00:00Z'],
    ['2026-01-12 05:00:00Z', 'BAD_DATE'],
    ['2026-01-12', 'BAD_DATE'],
    ['0001-01-01T00:00:00Z', 'BAD_DATE'],
    ['2026-02-30T00:00:00Z', 'BAD_DATE'],
  ])('%s is %s', (text, expected) => {
    expect(time(text)).toBe(expected)
  })
})

describe('endpoints', () => {
  test('a recording’s word, the venue’s own name, and nothing else', () => {
    expect(kalshiEndpointOf('orderbook')).toBe('GET /markets/{ticker}/orderbook')
    expect(kalshiEndpointOf('GET /markets/trades')).toBe(KALSHI.trades)
    for (const other of ['', 'constructor', 'GET /portfolio']) expect(kalshiEndpointOf(other)).toBeNull()
  })

  test('the request of a recording names its market', () => {
    expect(kalshiRequestOf(KALSHI.order_book, { ticker: 'KXA-1' })).toBe('/markets/KXA-1/orderbook')
    expect(kalshiRequestOf(KALSHI.event, { ticker: 'KXA' })).toBe('/events/KXA')
    expect(kalshiRequestOf(KALSHI.event_candles, { series_ticker: 'KXA', event_ticker: 'KXA-1' })).toBe(
      '/series/KXA/events/KXA-1/candlesticks',
    )
    expect(kalshiRequestOf(KALSHI.markets, {})).toBe('/markets')
    expect(kalshiRequestOf(KALSHI.order_book, {})).toBeNull()
    expect(kalshiRequestOf(KALSHI.ws_trade, { ticker: 'KXA-1' })).toBeNull()
  })
})
