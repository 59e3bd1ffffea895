import { describe, expect, test } from 'vitest'
import { publicPayload } from '../../../../pipelines/venues/polymarket/public-payload.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import {
  AT,
  type Body,
  CONDITION,
  knowingReader,
  NO_TOKEN,
  newTrade,
  oldTrade,
  payload,
  refusals,
} from './support/payloads.ts'

const ENDPOINT = 'GET /trades'
const read = (rows: readonly Body[], request: string | null = null) => knowingReader()(ENDPOINT, rows, { request })
const page = (rows: readonly Body[]) => ({
  data: rows,
  pagination: { limit: 100, offset: 0, has_more: true, next_cursor: 'x' },
})
const ids = (rows: readonly Body[]) => read(rows).trades.map((trade) => trade.source_trade_id)

describe('GET /trades', () => {
  test('old shape: seconds, an average price off the grid (P8), a size with float artifacts (P9)', () => {
    const { trades, quarantine } = read([oldTrade()])
    expect(quarantine).toEqual([])
    expect(trades).toEqual([
      {
        file: 'recorded.jsonl',
        line: 1,
        path: '$[0]',
        venue_id: 'polymarket',
        source_series_id: null,
        source_market_id: CONDITION,
        outcome: 'YES',
        source_at: toMicros('2026-10-01T11:58:20Z'),
        received_at: AT,
        price: '0.297258197',
        raw_price: '0.2972581967',
        quantity: '17.460317',
        aggressor_side: 'BUY',
        source_trade_id: expect.stringMatching(/^fill_[0-9a-f]{32}$/),
        source_sequence: null,
        correction_kind: null,
      },
    ])
  })

  test('both shapes are accepted, and the same trade has the same id in both', () => {
    const fed = knowingReader()
    const [old] = fed(ENDPOINT, [oldTrade()]).trades
    const [young] = fed(ENDPOINT, page([newTrade()])).trades
    expect(young).toEqual({ ...old, path: 'data[0]' })
  })

  test('one transaction can hold several fills: other tokens, prices and sizes are other trades, equal ones are counted', () => {
    const rows = [
      oldTrade(),
      oldTrade(),
      oldTrade({ asset: NO_TOKEN }),
      oldTrade({ price: 0.3 }),
      oldTrade({ size: 1 }),
      oldTrade({ transactionHash: '0x01' }),
    ]
    expect(new Set(ids(rows)).size).toBe(6)
  })

  test('P13: the id does not depend on the page, so a second page or recording brings no trade twice', () => {
    const rows = [oldTrade(), oldTrade({ price: 0.3 }), oldTrade({ size: 3 }), oldTrade()]
    const [a, b, c, again] = ids(rows)
    expect(ids(rows.slice(1))).toEqual([b, c, a])
    expect(ids(rows)).toEqual([a, b, c, again])
  })

  test('the side is the taker’s; where makers were asked for too nobody knows whose it is', () => {
    expect(read([oldTrade({ side: 'SELL' })]).trades[0]?.aggressor_side).toBe('SELL')
    expect(read([oldTrade({ side: undefined })]).trades[0]?.aggressor_side).toBeNull()
    expect(read([oldTrade()], '/trades?takerOnly=true').trades[0]?.aggressor_side).toBe('BUY')
    expect(read([oldTrade()], '/trades?limit=5&takerOnly=false').trades[0]?.aggressor_side).toBeNull()
  })

  test('history beyond the offset ceiling is partial: what a page has is read, an empty page is no error (P14)', () => {
    expect(knowingReader()(ENDPOINT, { data: [], pagination: { has_more: false } })).toMatchObject({
      trades: [],
      quarantine: [],
    })
    expect(knowingReader()(ENDPOINT, { data: [newTrade()] }).trades).toHaveLength(1)
    expect(refusals(knowingReader()(ENDPOINT, { error: 'max historical activity offset of 3000 exceeded' }))).toEqual([
      '$ UNKNOWN_SHAPE',
    ])
  })

  test('bad rows are quarantined one by one', () => {
    const rows = [
      oldTrade({ asset: '99' }),
      oldTrade({ conditionId: '0x99' }),
      oldTrade({ transactionHash: undefined }),
      oldTrade({ transaction_hash: '0x99' }),
      oldTrade({ price: 0 }),
      oldTrade({ price: 1.0000001 }),
      oldTrade({ size: 0 }),
      oldTrade({ size: '0.0000001' }),
      oldTrade({ size: 1e15 }),
      oldTrade({ side: 'HOLD' }),
      oldTrade({ timestamp: 1790855900123 }),
      oldTrade({ timestamp: 1790856001 }),
      oldTrade(),
    ]
    const found = read(rows)
    expect(refusals(found)).toEqual([
      '$[0] UNKNOWN_OUTCOME',
      '$[1] FIELDS_DISAGREE',
      '$[2] MISSING_FIELD',
      '$[3] FIELDS_DISAGREE',
      '$[4] MISSING_FIELD',
      '$[5] VALUE_OUT_OF_RANGE',
      '$[6] MISSING_FIELD',
      '$[7] BAD_VALUE',
      '$[8] BAD_VALUE',
      '$[9] BAD_FLAG',
      '$[10] BAD_DATE',
      '$[11] SOURCE_AFTER_RECEIVED',
    ])
    expect(found.trades).toHaveLength(1)
  })
})

describe('accounts are never kept', () => {
  const ACCOUNT = /6af75d4e|gopatriots|Weird-Whale|bio|profile|[wW]allet|next_cursor|pseudonym/

  test('records say nothing of wallet, name, bio or picture', () => {
    expect(JSON.stringify(read([oldTrade()]).trades)).not.toMatch(ACCOUNT)
    expect(JSON.stringify(knowingReader()(ENDPOINT, page([newTrade()])))).not.toMatch(ACCOUNT)
  })

  test('the payload that may be kept has none of them, and gives the same records', () => {
    const bodies = [
      [oldTrade(), oldTrade({ price: { wallet: 'gopatriots' } }), 5],
      page([newTrade({ name: ['gopatriots'], maker: { proxyWallet: '0x6af75d4e' } })]),
      { data: 'gopatriots' },
    ]
    for (const body of bodies) {
      const whole = payload(ENDPOINT, body, { request: '/trades?user=0x6af75d4e&limit=2' })
      const kept = publicPayload(whole).payload
      expect(kept.text + kept.request).not.toMatch(ACCOUNT)
      expect(kept.request).toBe('/trades?limit=2')
      expect(knowingReader()(ENDPOINT, kept.text)).toEqual(knowingReader()(ENDPOINT, whole.text))
    }
  })

  test('the digits of its numbers stay; other payloads and other requests stay as they are', () => {
    expect(publicPayload(payload(ENDPOINT, [oldTrade()])).payload.text).toContain('"size":"17.460316999999996"')
    const book = payload('GET /book', { name: 'gopatriots' })
    expect(publicPayload(book).payload).toBe(book)
    for (const request of [null, '/trades', '/trades?market=0x1&limit=5']) {
      expect(publicPayload(payload(ENDPOINT, [], { request })).payload.request).toBe(request)
    }
    expect(publicPayload(payload(ENDPOINT, [], { request: '/trades?user=0x1' })).payload.request).toBe('/trades')
  })

  test('a trade list that cannot be parsed is kept without its text', () => {
    expect(publicPayload(payload(ENDPOINT, '[{"name":"gopatriots"')).payload.text).toBe('')
  })
})
