import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { allOf, MARKET, payload, RECEIVED, reader } from './payloads.ts'

/** Answered pings confirm the books that stand, and only those. */
const SECOND = 1_000_000
const snapshot = (seq: number, ticker = 'KXA-1', sid = 1) => ({
  type: 'orderbook_snapshot',
  sid,
  seq,
  msg: { market_ticker: ticker, yes_dollars_fp: [['0.2200', '333.00']], no_dollars_fp: [['0.5600', '146.00']] },
})
const delta = (seq: number, price_dollars: string, delta_fp: string, sid = 1) => ({
  type: 'orderbook_delta',
  sid,
  seq,
  msg: { market_ticker: 'KXA-1', price_dollars, delta_fp, side: 'yes' },
})
const ticker = (more: object) => ({ type: 'ticker', sid: 2, seq: 1, msg: { market_ticker: 'KXA-1', ...more } })
const heartbeat = (...sids: readonly number[]) => ({ type: 'heartbeat', sids })

/** Reads frames at seconds after the start, each as the connector stores it. */
function at(...frames: readonly (readonly [second: number, frame: object])[]) {
  const one = reader()
  const read = frames.map(([second, frame]) => {
    const endpoint = 'sids' in frame ? KALSHI.ws_heartbeat : KALSHI.ws
    return allOf(one.read(payload(endpoint, frame, { received_at: RECEIVED + second * SECOND })))
  })
  return { read, last: read.at(-1)!, books: [...read, allOf(one.finish!())].flatMap(({ books }) => books) }
}

describe('an answered ping', () => {
  test('confirms a book that has stood for 30 s: the same quotes again, of the same instant, with the receipt', () => {
    const { read, last } = at([0, snapshot(1)], [29, heartbeat(1)], [30, heartbeat(1)])
    expect(read[1]!.quotes).toEqual([])
    expect(last.quarantine).toEqual([])
    const confirmed_at = RECEIVED + 30 * SECOND
    expect(last.quotes).toEqual(
      read[0]!.quotes.map((quote) => ({
        ...quote,
        path: '$',
        received_at: confirmed_at,
        book: { ...quote.book, confirmed_at },
      })),
    )
  })

  test('confirms again half a minute after the last confirmation, not at every ping', () => {
    const { read } = at(
      [0, snapshot(1)],
      [30, heartbeat(1)],
      [40, heartbeat(1)],
      [59, heartbeat(1)],
      [60, heartbeat(1)],
    )
    expect(read.map(({ quotes }) => quotes.length)).toEqual([2, 2, 0, 0, 2])
  })

  test('confirms the newest quotes, those of the ticker as well, if they show the top of the book', () => {
    const same = { yes_bid_dollars: '0.2200', yes_ask_dollars: '0.4400', price_dollars: '0.3000' }
    const { last } = at([0, snapshot(1)], [5, ticker(same)], [40, heartbeat(1)])
    expect(last.quotes.map(({ source_at, book }) => [source_at, book!.last_trade])).toEqual([
      [RECEIVED + 5 * SECOND, '0.300000000'],
      [RECEIVED + 5 * SECOND, '0.700000000'],
    ])
    const other = at([0, snapshot(1)], [5, ticker({ ...same, yes_bid_dollars: '0.2100' })], [40, heartbeat(1)])
    expect(other.last.quotes).toEqual([])
  })

  test.each([
    ['of another subscription', [heartbeat(7)], [heartbeat(7)]],
    ['after a hole in the sequence', [delta(3, '0.2000', '1.00')], [heartbeat(1)]],
    ['after more was taken than rested', [delta(2, '0.2000', '-1.00')], [heartbeat(1)]],
    ['after the subscription began anew', [{ type: 'subscribed', sid: 1 }], [heartbeat(1)]],
  ] as const)('confirms nothing %s', (_, [between], [then]) => {
    expect(at([0, snapshot(1)], [1, between], [60, then]).last.quotes).toEqual([])
  })

  test.each([
    ['active', 2],
    ['closed', 0],
  ])('of a market that is %s confirms %i quotes', (status, confirmed) => {
    const one = reader()
    const market = { ...MARKET, ticker: 'KXA-1', status, yes_bid_dollars: '0.2200', no_bid_dollars: '0.5600' }
    const listed = { ...market, yes_ask_dollars: '0.4400', no_ask_dollars: '0.7800', yes_bid: 22, yes_ask: 44 }
    const read = (second: number, endpoint: string, body: object) =>
      allOf(one.read(payload(endpoint, body, { received_at: RECEIVED + second * SECOND })))
    read(0, KALSHI.ws, snapshot(1))
    read(1, KALSHI.market, { market: { ...listed, no_bid: 56, no_ask: 78 } })
    expect(read(60, KALSHI.ws_heartbeat, heartbeat(1)).quotes).toHaveLength(confirmed)
  })

  test('records the book of an ended minute, which a next message would; no book is recorded twice', () => {
    const messages = [
      [0, snapshot(1)],
      [20, delta(2, '0.2000', '5.00')],
      [300, delta(3, '0.2000', '1.00')],
    ] as const
    const pinged = at(
      messages[0],
      messages[1],
      [80, heartbeat(1)],
      [90, heartbeat(1)],
      [100, heartbeat(1)],
      messages[2],
    )
    expect(pinged.read.map(({ books }) => books.length)).toEqual([0, 0, 0, 2, 0, 0])
    expect(pinged.books).toEqual(at(...messages).books)
  })
})
