import { describe, expect, test } from 'vitest'
import {
  AT,
  type Body,
  CONDITION,
  change,
  clobBook,
  knowingReader,
  lastTrade,
  ms,
  NO_TOKEN,
  priceChange,
  refusals,
  YES_TOKEN,
} from './support/payloads.ts'
import { bookMessage, streaming, touches, WS } from './support/stream.ts'

describe('book', () => {
  test('a frame may be one object or an array; a whole book gives a quote that the read confirms', () => {
    const one = knowingReader()(WS, bookMessage())
    const many = knowingReader()(WS, [bookMessage()])
    expect(many.quotes).toEqual([{ ...one.quotes[0], path: '$[0]' }])
    expect(touches(one)).toEqual(['YES 25.333333@0.301000000 99.170000@0.305000000'])
    expect(one.quotes[0]?.book).toMatchObject({ confirmed_at: AT, last_trade: null, last_trade_at: null })
  })

  test('an unknown token is quarantined as UNKNOWN_OUTCOME', () => {
    expect(refusals(knowingReader()(WS, [bookMessage({ asset_id: '1' }), bookMessage()]))).toEqual([
      '$[0] UNKNOWN_OUTCOME',
    ])
  })

  test('keepalives and empty frames say nothing; unknown messages are named', () => {
    const fed = knowingReader()
    expect(refusals(fed(WS, 'PONG'))).toEqual([])
    expect(refusals(fed(WS, '[]'))).toEqual([])
    expect(refusals(fed(WS, { event_type: 'new_market', market: CONDITION }))).toEqual([])
    expect(refusals(fed(WS, [{ event_type: 'constructor' }, { event_type: 5 }, {}, 7]))).toEqual([
      '$[0] UNKNOWN_SHAPE',
      '$[1] UNKNOWN_SHAPE',
      '$[2] UNKNOWN_SHAPE',
      '$[3] UNKNOWN_SHAPE',
    ])
    expect(refusals(fed(WS, 'INVALID OPERATION'))).toEqual(['$ BAD_JSON'])
  })
})

describe('the last trade that a book states', () => {
  const last = (fed: ReturnType<typeof streaming>, message: Body) =>
    fed(message).quotes.at(-1)?.book ?? expect.fail('no quote')

  test('is beside its prices, and beside the changes after it, until a newer trade', () => {
    const fed = streaming()
    expect(last(fed, bookMessage({ last_trade_price: '0.61' }))).toMatchObject({
      last_trade: '0.610000000',
      last_trade_at: null,
    })
    expect(last(fed, priceChange([change('BUY', '0.302', '5')], 20)).last_trade).toBe('0.610000000')
    fed(lastTrade())
    expect(last(fed, bookMessage({ last_trade_price: '0.304' }))).toMatchObject({
      last_trade: '0.304000000',
      last_trade_at: Number(ms(2)) * 1000,
    })
  })

  test('an older message names the sides buys and sells', () => {
    const { bids: buys, asks: sells, ...rest } = bookMessage() as Record<string, unknown>
    const older = knowingReader()(WS, { ...rest, buys, sells } as Body)
    expect([refusals(older), older.quotes]).toEqual([[], knowingReader()(WS, bookMessage()).quotes])
  })
})

describe('last_trade_price', () => {
  test('a trade with its side, price and size', () => {
    const { trades, quarantine } = streaming()(lastTrade())
    expect(quarantine).toEqual([])
    expect(trades).toEqual([
      expect.objectContaining({
        source_market_id: CONDITION,
        outcome: 'YES',
        price: '0.304000000',
        quantity: '219.217767',
        aggressor_side: 'SELL',
        source_at: Number(ms(2)) * 1000,
        source_trade_id: expect.stringMatching(/^tape_[0-9a-f]{32}$/),
        source_sequence: null,
      }),
    ])
  })

  test('no trade id: two equal trades in one ms have an occurrence counter, others differ by what they say', () => {
    const fed = streaming()
    const same = [lastTrade(), lastTrade()]
    const others = [
      { price: '0.305' },
      { size: '1' },
      { side: 'BUY' },
      { timestamp: ms(3) },
      { asset_id: NO_TOKEN },
      { price: '0.3040', size: '219.2177670' },
    ].map(lastTrade)
    const ids = [...fed(same).trades, ...others.flatMap((trade) => fed(trade).trades)].map((t) => t.source_trade_id)
    expect(new Set(ids).size).toBe(8)
  })

  test('P13: a second recording of the same stream gives the same ids', () => {
    const fed = streaming()
    const ids = (file: string) => [lastTrade(), lastTrade()].map((t) => fed(t, { file }).trades[0]?.source_trade_id)
    const first = ids('a.jsonl')
    expect(ids('b.jsonl')).toEqual(first)
    expect(new Set(first).size).toBe(2)
  })

  test('later quotes carry the last trade with its time', () => {
    const fed = streaming()
    fed(lastTrade({ timestamp: ms(5) }))
    fed(lastTrade({ timestamp: ms(4), price: '0.9' }))
    const [quote] = fed(priceChange([change('BUY', '0.302', '5')], 4)).quotes
    expect(quote?.book).toMatchObject({ last_trade: '0.304000000', last_trade_at: Number(ms(5)) * 1000 })
    expect(quote?.source_at).toBe(Number(ms(5)) * 1000)
  })

  test('a book read by request has the time of the last trade where the stream has shown that trade', () => {
    const fed = streaming()
    fed(lastTrade({ timestamp: ms(2) }))
    const read = (last_trade_price: string) =>
      fed(clobBook({ last_trade_price }), { endpoint: 'GET /book' }).quotes[0]?.book
    expect(read('0.304')).toMatchObject({ last_trade: '0.304000000', last_trade_at: Number(ms(2)) * 1000 })
    expect(read('0.305')).toMatchObject({ last_trade: '0.305000000', last_trade_at: null })
    expect(read('')).toMatchObject({ last_trade: null, last_trade_at: null })
  })

  test('bad trades are refused', () => {
    const bad = [
      { price: '0' },
      { size: '0' },
      { price: '1.1' },
      { timestamp: ms(5000) },
      { asset_id: '6' },
      { side: 'X' },
    ]
    expect(refusals(streaming()(bad.map(lastTrade)))).toEqual([
      '$[0] MISSING_FIELD',
      '$[1] MISSING_FIELD',
      '$[2] VALUE_OUT_OF_RANGE',
      '$[3] SOURCE_AFTER_RECEIVED',
      '$[4] UNKNOWN_OUTCOME',
      '$[5] BAD_FLAG',
    ])
  })
})

describe('other messages', () => {
  test('tick_size_change starts a new book epoch: drop the book, wait for a new snapshot', () => {
    const fed = streaming()
    const tick = { event_type: 'tick_size_change', asset_id: YES_TOKEN, market: CONDITION, timestamp: ms(2) }
    expect(fed({ ...tick, old_tick_size: '0.01', new_tick_size: '0.001' })).toMatchObject({
      quotes: [],
      quarantine: [],
    })
    expect(refusals(fed(priceChange([change('BUY', '0.302', '5')], 3)))).toEqual(['price_changes[0] NO_BASE_BOOK'])
    expect(fed(bookMessage({ timestamp: ms(4) })).quotes).toHaveLength(1)
  })

  test('best_bid_ask counts while the book is unknown, without depths', () => {
    const best = (bid: string, after: number, changes: Body = {}) => {
      const prices = { best_bid: bid, best_ask: '1', spread: '0.5' }
      return {
        event_type: 'best_bid_ask',
        market: CONDITION,
        asset_id: YES_TOKEN,
        ...prices,
        timestamp: ms(after),
        ...changes,
      }
    }
    const fed = knowingReader()
    expect(touches(fed(WS, [best('0.3', 1), best('0.3', 2), best('0.31', 3)]))).toEqual([
      'YES null@0.300000000 null@null',
      'YES null@0.310000000 null@null',
    ])
    expect(refusals(fed(WS, best('0.3', 4, { best_ask: undefined })))).toEqual(['$ MISSING_FIELD'])
    expect(streaming()(best('0.3', 1)).quotes).toEqual([])
  })
})
