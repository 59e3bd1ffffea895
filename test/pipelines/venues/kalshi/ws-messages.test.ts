import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { formatMicros, toMicros } from '../../../../primitives/instants.ts'
import { allOf, MARKET, payload, RECEIVED, read, reader, reasons, sides, stream } from './payloads.ts'

const TICKER = {
  type: 'ticker',
  sid: 11,
  msg: {
    market_ticker: 'KXA-1',
    price_dollars: '0.480',
    yes_bid_dollars: '0.450',
    yes_ask_dollars: '0.530',
    yes_bid_size_fp: '300.00',
    yes_ask_size_fp: '150.00',
    last_trade_size_fp: '25.00',
    dollar_volume: 16948,
    ts: 1_772_000_000,
    ts_ms: 1_772_000_000_123,
    Clock: 6598272994,
  },
}
const ticker = (msg: object) => read(KALSHI.ws_ticker, { ...TICKER, msg: { ...TICKER.msg, ...msg } })

describe('ticker', () => {
  test('bid, ask and depths of both outcomes: an ask for YES is a bid for NO', () => {
    expect(ticker({}).quotes.map(({ source_at, book }) => [source_at, Object.values(book!).slice(0, 5)])).toEqual([
      [1_772_000_000_123_000, ['0.450000000', '0.530000000', '300.000000', '150.000000', '0.480000000']],
      [1_772_000_000_123_000, ['0.470000000', '0.550000000', '150.000000', '300.000000', '0.520000000']],
    ])
  })

  test('P1: after the close the venue sends 0.0000 and 1.0000: nobody quotes', () => {
    const { quotes } = ticker({ yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000' })
    expect(sides({ quotes })).toEqual([
      ['YES', null, null],
      ['NO', null, null],
    ])
  })

  test('cents beside dollars; a price of 0 or "" is no trade', () => {
    const { quotes } = ticker({ yes_bid: 45, yes_ask: 53, price: 0, price_dollars: '' })
    expect(quotes.map(({ book }) => [book!.bid, book!.last_trade])).toEqual([
      ['0.450000000', null],
      ['0.470000000', null],
    ])
    expect(reasons(ticker({ yes_bid: 46 }))).toEqual(['FIELDS_DISAGREE'])
  })

  test('P12: tickers of combinations give nothing', () => {
    const { quotes, quarantine } = ticker({ market_ticker: 'KXMVE-1', yes_bid_dollars: 'x' })
    expect([quotes, quarantine]).toEqual([[], []])
  })
})

test('trade: as on the tape, with the message’s time', () => {
  const msg = {
    trade_id: 't1',
    market_ticker: 'KXA-1',
    yes_price: 55,
    no_price: 45,
    yes_price_dollars: '0.5500',
    no_price_dollars: '0.4500',
    count: 10,
    count_fp: '10.00',
    taker_side: 'yes',
    ts: 1_772_000_000,
  }
  expect(read(KALSHI.ws_trade, { type: 'trade', sid: 1, seq: 42, msg }).trades).toMatchObject([
    {
      source_market_id: 'KXA-1',
      source_trade_id: 't1',
      price: '0.550000000',
      quantity: '10.000000',
      aggressor_side: 'BUY',
      source_at: 1_772_000_000_000_000,
    },
  ])
})

const life = (event_type: string, msg: object = {}) => ({
  type: 'market_lifecycle_v2',
  sid: 13,
  msg: { market_ticker: MARKET.ticker, event_type, ...msg },
})
const CREATED = life('created', {
  open_ts: 1_772_000_000,
  close_ts: 1_775_000_000,
  additional_metadata: {
    title: 'Mars?',
    rules_primary: 'If he visits Mars.',
    event_ticker: 'KXELONMARS-99',
    expected_expiration_ts: 1_775_000_600,
  },
})

describe('market_lifecycle_v2', () => {
  test('created describes the market, later steps continue it', () => {
    const steps = stream([
      {
        type: 'event_lifecycle',
        sid: 14,
        msg: { event_ticker: 'KXELONMARS-99', title: 'Elon', series_ticker: 'KXELONMARS' },
      },
      CREATED,
      life('activated'),
      life('deactivated', { is_deactivated: true }),
      life('close_date_updated', { close_ts: 1_774_000_000 }),
      life('determined', { result: 'yes', settlement_value: '1.0000', determination_ts: 1_772_452_800 }),
      life('settled', { settled_ts: 1_772_452_802 }),
    ])
    expect(steps.flatMap(reasons)).toEqual([])
    expect(steps.map(({ references }) => references[0]?.status)).toEqual([
      undefined,
      'scheduled',
      'open',
      'paused',
      'paused',
      'resolving',
      'resolved',
    ])
    const last = steps[6]!.references[0]!
    expect(last).toMatchObject({ title: 'Mars?', event_title: 'Elon', resolution_criteria: 'If he visits Mars.' })
    expect([last.closes_at, last.expected_resolution_at]).toEqual([1_774_000_000_000_000, 1_775_000_600_000_000])
  })

  test('determined proposes the result, settled makes it final; repeated messages say nothing new', () => {
    const determined = life('determined', { result: 'no', settlement_value: '0.0000', determination_ts: 1_772_452_800 })
    const settled = life('settled', { settled_ts: 1_772_452_802 })
    const steps = stream([CREATED, determined, determined, settled, settled, settled])
    expect(
      steps.flatMap(({ resolutions }) =>
        resolutions.map((r) => [r.finality, formatMicros(r.source_at), r.payouts[0]!.payout]),
      ),
    ).toEqual([
      ['proposed', '2026-03-02T12:00:00Z', '0.000000000'],
      ['final', '2026-03-02T12:00:02Z', '0.000000000'],
    ])
  })

  test('a scalar result pays its value, also where only the settlement says so', () => {
    const scalar = stream([CREATED, life('determined', { result: 'scalar', settlement_value: '0.3500' })])
    expect(scalar[1]!.resolutions[0]!.payouts.map(({ payout }) => payout)).toEqual(['0.350000000', '0.650000000'])
    const alone = stream([CREATED, life('settled', { settlement_value: '1.00' })])
    expect(alone[1]!.resolutions[0]).toMatchObject({ finality: 'final', payouts: [{ payout: '1.000000000' }, {}] })
  })

  test('settled without a result that was ever named has no payout: unknown is not zero', () => {
    const steps = stream([CREATED, life('settled')])
    expect([steps[1]!.resolutions, steps[1]!.references[0]!.status]).toEqual([[], 'resolved'])
  })

  test('a step of a market that nothing has described is named; its result is kept', () => {
    const [step] = stream([life('determined', { result: 'yes' })])
    expect([reasons(step!), step!.resolutions.length]).toEqual([['UNKNOWN_MARKET'], 1])
  })

  test('messages update a market described over REST, and its result is not repeated', () => {
    const one = reader()
    const rest = { ...MARKET, status: 'determined', result: 'yes' }
    const first = allOf(one.read(payload(KALSHI.market, { market: rest })))
    const again = allOf(one.read(payload(KALSHI.ws_market_lifecycle, life('determined', { result: 'yes' }))))
    expect([first.resolutions.length, again.resolutions.length]).toEqual([1, 0])
    expect(again.references[0]).toMatchObject({ title: MARKET.title, status: 'resolving', source_at: RECEIVED })
  })

  test('an unknown step is refused; a combination’s gives nothing', () => {
    expect(stream([life('melted')]).flatMap(reasons)).toEqual(['BAD_FLAG'])
    expect(stream([life('melted', { market_ticker: 'KXMVE-1' })]).flatMap(reasons)).toEqual([])
  })
})

describe('other messages', () => {
  test.each(['error', 'event_fee_update', 'multivariate_market_lifecycle', 'subscribed', 'ok'])(
    '%s gives nothing',
    (type) => {
      expect(Object.values(read(KALSHI.ws, { type, msg: { code: 6 } })).flat()).toEqual([])
    },
  )

  test.each([
    [{ type: 'fill', sid: 1, msg: {} }, 'UNKNOWN_SHAPE'],
    [{ sid: 1 }, 'MISSING_FIELD'],
    [{ type: 'ticker', sid: 1 }, 'UNKNOWN_SHAPE'],
    [{ type: 'orderbook_delta', seq: 1, msg: {} }, 'MISSING_FIELD'],
  ])('%o is refused', (frame, reason) => {
    expect(reasons(read(KALSHI.ws, frame))).toEqual([reason])
  })

  test('received before it happened', () => {
    expect(reasons(ticker({ ts_ms: toMicros('2026-03-02T12:00:01Z') / 1000 }))).toEqual(['SOURCE_AFTER_RECEIVED'])
  })
})
