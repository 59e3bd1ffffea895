import { expect, test } from 'vitest'
import { recordSmall } from '../support/small-world.ts'

/** Books as the plainest client would build them: by text prices, from the messages alone. */
type Sides = { readonly bids: Map<string, number>; readonly asks: Map<string, number> }

type KalshiMessage = {
  readonly type: string
  readonly msg: {
    readonly market_ticker: string
    readonly yes_dollars_fp: readonly [string, string][]
    readonly no_dollars_fp: readonly [string, string][]
    readonly side: 'yes' | 'no'
    readonly price_dollars: string
    readonly delta_fp: string
  }
}

const hundredths = (size: string) => Math.round(Number(size) * 100)
const price = (text: string) => Number(text).toFixed(4)
const mirror = (text: string) => (1 - Number(text)).toFixed(4)

function foldKalshi(bodies: readonly string[]): Map<string, Sides> {
  const books = new Map<string, Sides>()
  for (const body of bodies) {
    const { type, msg } = JSON.parse(body) as KalshiMessage
    if (type === 'orderbook_snapshot') {
      books.set(msg.market_ticker, {
        bids: new Map(msg.yes_dollars_fp.map(([at, size]) => [price(at), hundredths(size)])),
        asks: new Map(msg.no_dollars_fp.map(([at, size]) => [mirror(at), hundredths(size)])),
      })
    } else if (type === 'orderbook_delta') {
      const { bids, asks } = books.get(msg.market_ticker)!
      const [side, at] = msg.side === 'yes' ? [bids, price(msg.price_dollars)] : [asks, mirror(msg.price_dollars)]
      setTotal(side, at, (side.get(at) ?? 0) + hundredths(msg.delta_fp))
    }
  }
  return books
}

type PolymarketMessage = {
  readonly event_type: string
  readonly asset_id: string
  readonly market: string
  readonly bids: readonly { price: string; size: string }[]
  readonly asks: readonly { price: string; size: string }[]
  readonly price_changes: readonly {
    asset_id: string
    price: string
    size: string
    side: string
    best_bid: string
    best_ask: string
  }[]
}

/** Books by token, and how often the best prices of a message were not those of the book after it. */
function foldPolymarket(bodies: readonly string[]) {
  const books = new Map<string, Sides>()
  let mismatches = 0
  for (const body of bodies) {
    const message = JSON.parse(body) as PolymarketMessage
    const levels = (list: PolymarketMessage['bids']) =>
      new Map(list.map((one) => [price(one.price), hundredths(one.size)]))
    if (message.event_type === 'book') {
      books.set(message.asset_id, { bids: levels(message.bids), asks: levels(message.asks) })
    }
    for (const change of message.event_type === 'price_change' ? message.price_changes : []) {
      const { bids, asks } = books.get(change.asset_id)!
      setTotal(change.side === 'BUY' ? bids : asks, price(change.price), hundredths(change.size))
      const best = [Math.max(0, ...[...bids.keys()].map(Number)), Math.min(1, ...[...asks.keys()].map(Number))]
      if (best[0] !== Number(change.best_bid) || best[1] !== Number(change.best_ask)) mismatches += 1
    }
  }
  return { books, mismatches }
}

function setTotal(side: Map<string, number>, at: string, size: number): void {
  if (size === 0) side.delete(at)
  else side.set(at, size)
}

function expectSame(
  folded: Sides | undefined,
  book: {
    readonly bids: readonly (readonly [string, string])[]
    readonly asks: readonly (readonly [string, string])[]
  },
) {
  const levels = (list: readonly (readonly [string, string])[]) =>
    new Map(list.map(([at, size]) => [at, hundredths(size)]))
  expect(folded).toEqual({ bids: levels(book.bids), asks: levels(book.asks) })
}

test('kalshi: snapshots and signed changes give every level of the book that really was', () => {
  const { payloads, truth } = recordSmall('kalshi')
  const books = foldKalshi(payloads.filter(({ endpoint }) => /^ws orderbook/.test(endpoint)).map(({ body }) => body))
  const open = truth.markets.filter(({ stage }) => stage === 'open')
  expect(open.length).toBeGreaterThan(3)
  for (const { source_market_id, book } of open) expectSame(books.get(source_market_id), book!)
})

test('kalshi: sequences have no hole within a connection', () => {
  const { payloads } = recordSmall('kalshi')
  let last = 0
  for (const { body } of payloads.filter(({ endpoint }) => /^ws orderbook/.test(endpoint))) {
    const { seq, type } = JSON.parse(body) as { seq: number; type: string }
    const begins = type === 'orderbook_snapshot' && seq === 1
    expect(seq).toBe(begins ? 1 : last + 1)
    last = seq
  }
})

test('polymarket: whole books and new totals give every level of both tokens, and the best prices agree at each message', () => {
  const { payloads, truth, venue } = recordSmall('polymarket')
  const bodies = payloads.filter(({ endpoint }) => endpoint === 'ws market').map(({ body }) => body)
  const { books, mismatches } = foldPolymarket(bodies)
  expect(mismatches).toBe(0)
  const { markets } = truth
  const open = markets.flatMap(({ stage, book }, ordinal) => (stage === 'open' ? [{ book: book!, ordinal }] : []))
  expect(open.length).toBeGreaterThan(3)
  for (const { book, ordinal } of open) {
    const [yes, no] = [...books.keys()].filter((token) => venue.wire.marketOf(token) === ordinal)
    const flipped = {
      bids: book.asks.map(([at, size]) => [mirror(at), size] as const),
      asks: book.bids.map(([at, size]) => [mirror(at), size] as const),
    }
    expectSame(books.get(yes!), book)
    expectSame(books.get(no!), flipped)
  }
})
