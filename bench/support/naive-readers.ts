import type { VenuePayload } from '../../pipelines/venues/record.ts'
import { Decimal } from '../../primitives/decimal.ts'

/**
 * Readers of venue payloads as one writes them in an afternoon: JSON.parse, a decimal.js value for every number, objects
 * spread into records, instants through Date. No field is checked, and nothing is refused. They give the same quotes.
 */
export type NaiveReader = { read(payload: VenuePayload): NaiveQuote[] }

export type NaiveQuote = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: what JSON.parse gives, taken as it is: that is what naive means here.
type Json = any

type Level = { price: Decimal; quantity: Decimal }
type Book = { bids: Level[]; asks: Level[]; shown: string }

const decimal = (value: unknown) => new Decimal(String(value))
const priceText = (value: Decimal | null) => (value === null ? null : value.toFixed(9))
const quantityText = (value: Decimal | null) => (value === null ? null : value.toFixed(6))
const millis = (value: unknown) => new Date(Number(value)).toISOString()

const NO_BOOK = {
  bid: null,
  ask: null,
  bid_depth: null,
  ask_depth: null,
  last_trade: null,
  last_trade_at: null,
  source_sequence: null,
  confirmed_at: null,
}

function baseOf({ file, received_at, venue_id }: VenuePayload) {
  return {
    file,
    venue_id,
    source_series_id: null,
    received_at: new Date(received_at / 1000).toISOString(),
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
  }
}

function sortBook(book: Book): Book {
  book.bids.sort((a, b) => b.price.cmp(a.price))
  book.asks.sort((a, b) => a.price.cmp(b.price))
  return book
}

function setLevel(
  levels: Level[],
  price: Decimal,
  quantity: Decimal,
  is_better: (a: Decimal, b: Decimal) => boolean,
): void {
  const place = levels.findIndex((level) => !is_better(level.price, price))
  const found = place >= 0 && levels[place]!.price.eq(price)
  if (quantity.isZero()) {
    if (found) levels.splice(place, 1)
  } else if (found) levels[place] = { price, quantity }
  else levels.splice(place < 0 ? levels.length : place, 0, { price, quantity })
}

const higher = (a: Decimal, b: Decimal) => a.gt(b)
const lower = (a: Decimal, b: Decimal) => a.lt(b)

/** Books of both tokens from `GET /book` and the market channel. */
export function naivePolymarket(): NaiveReader {
  const outcomes = new Map<string, { source_market_id: string; outcome: string }>()
  const books = new Map<string, Book>()
  const newBook = (message: Json): Book => {
    const levels = (list: Json) =>
      list.map((level: Json) => ({ price: decimal(level.price), quantity: decimal(level.size) }))
    return sortBook({ bids: levels(message.bids), asks: levels(message.asks), shown: '' })
  }
  const touch = ({ bids: [bid], asks: [ask] }: Book) => ({
    bid: priceText(bid?.price ?? null),
    ask: priceText(ask?.price ?? null),
    bid_depth: quantityText(bid?.quantity ?? null),
    ask_depth: quantityText(ask?.quantity ?? null),
  })
  return {
    read(payload) {
      const document: Json = JSON.parse(payload.text)
      const base = baseOf(payload)
      if (payload.endpoint === 'GET /markets') {
        for (const market of document) {
          const [tokens, labels] = [JSON.parse(market.clobTokenIds), JSON.parse(market.outcomes)]
          tokens.forEach((token: string, i: number) => {
            outcomes.set(token, { source_market_id: market.conditionId, outcome: labels[i].toUpperCase() })
          })
        }
        return []
      }
      if (payload.endpoint === 'GET /book') {
        const last = document.last_trade_price
        const book = {
          ...NO_BOOK,
          ...touch(newBook(document)),
          last_trade: last === '' ? null : priceText(decimal(last)),
          confirmed_at: base.received_at,
        }
        const source_at = millis(document.timestamp)
        return [{ ...base, ...outcomes.get(document.asset_id), line: 1, path: '$', source_at, book }]
      }
      if (document.event_type === 'book') {
        const book = newBook(document)
        const shown = { ...NO_BOOK, ...touch(book), confirmed_at: base.received_at }
        books.set(document.asset_id, { ...book, shown: JSON.stringify(touch(book)) })
        const source_at = millis(document.timestamp)
        return [{ ...base, ...outcomes.get(document.asset_id), line: 1, path: '$', source_at, book: shown }]
      }
      const quotes: NaiveQuote[] = []
      document.price_changes.forEach((change: Json, i: number) => {
        const book = books.get(change.asset_id)!
        const [price, quantity] = [decimal(change.price), decimal(change.size)]
        if (change.side === 'BUY') setLevel(book.bids, price, quantity, higher)
        else setLevel(book.asks, price, quantity, lower)
        const [best_bid, best_ask] = [decimal(change.best_bid), decimal(change.best_ask)]
        if (!best_bid.eq(book.bids[0]?.price ?? 0) || !best_ask.eq(book.asks[0]?.price ?? 1))
          throw new RangeError('book')
        const now = touch(book)
        const shown = JSON.stringify(now)
        if (shown === book.shown) return
        book.shown = shown
        const source_at = millis(document.timestamp)
        const place = { line: 1, path: `price_changes[${i}]`, source_at }
        quotes.push({ ...base, ...outcomes.get(change.asset_id), ...place, book: { ...NO_BOOK, ...now } })
      })
      return quotes
    },
  }
}

type KalshiTouch = { yes: Level | undefined; no: Level | undefined; last: Decimal | null }

/** Ladders, deltas and tickers. */
export function naiveKalshi(): NaiveReader {
  const books = new Map<string, Book>()
  const one = new Decimal(1)
  const levelsOf = (list: Json): Level[] =>
    (list ?? []).map(([price, quantity]: Json) => ({ price: decimal(price), quantity: decimal(quantity) }))
  const pair = (base: object, beside: object, { yes, no, last }: KalshiTouch): NaiveQuote[] => {
    const book = (own: Level | undefined, other: Level | undefined, trade: Decimal | null) => ({
      ...NO_BOOK,
      bid: priceText(own?.price ?? null),
      ask: priceText(other === undefined ? null : one.minus(other.price)),
      bid_depth: quantityText(own?.quantity ?? null),
      ask_depth: quantityText(other?.quantity ?? null),
      last_trade: priceText(trade),
      ...beside,
    })
    const last_no = last === null ? null : one.minus(last)
    return [
      { ...base, outcome: 'YES', book: book(yes, no, last) },
      { ...base, outcome: 'NO', book: book(no, yes, last_no) },
    ]
  }
  return {
    read(payload) {
      const document: Json = JSON.parse(payload.text)
      const base = { ...baseOf(payload), line: 1, path: 'msg' }
      if (payload.endpoint === 'GET /markets/{ticker}/orderbook') {
        const { yes_dollars, no_dollars } = document.orderbook_fp
        const best = (list: Json) => levelsOf(list).sort((a, b) => b.price.cmp(a.price))[0]
        const source_market_id = payload.request!.split('/')[2]
        const place = { source_market_id, path: 'orderbook_fp', source_at: base.received_at }
        const touch = { yes: best(yes_dollars), no: best(no_dollars), last: null }
        return pair({ ...base, ...place }, { confirmed_at: base.received_at }, touch)
      }
      const { type, seq, msg } = document
      const source_market_id = msg.market_ticker
      if (type === 'ticker') {
        const level = (price: Decimal, size: unknown): Level | undefined =>
          price.gt(0) && price.lt(1) ? { price, quantity: decimal(size) } : undefined
        const last = decimal(msg.price_dollars)
        const touch = {
          yes: level(decimal(msg.yes_bid_dollars), msg.yes_bid_size_fp),
          no: level(one.minus(decimal(msg.yes_ask_dollars)), msg.yes_ask_size_fp),
          last: last.isZero() ? null : last,
        }
        return pair({ ...base, source_market_id, source_at: millis(msg.ts_ms) }, {}, touch)
      }
      if (type === 'orderbook_snapshot') {
        const book = { bids: levelsOf(msg.yes_dollars_fp), asks: levelsOf(msg.no_dollars_fp), shown: '' }
        for (const side of [book.bids, book.asks]) side.sort((a, b) => b.price.cmp(a.price))
        books.set(source_market_id, book)
      } else {
        const book = books.get(source_market_id)!
        const side = msg.side === 'yes' ? book.bids : book.asks
        const price = decimal(msg.price_dollars)
        const before = side.find((level) => level.price.eq(price))?.quantity ?? new Decimal(0)
        setLevel(side, price, before.plus(decimal(msg.delta_fp)), higher)
      }
      const book = books.get(source_market_id)!
      const source_at = msg.ts === undefined ? base.received_at : new Date(msg.ts).toISOString()
      const shown = JSON.stringify([source_at.slice(0, 16), book.bids[0], book.asks[0]])
      if (shown === book.shown) return []
      book.shown = shown
      const touch = { yes: book.bids[0], no: book.asks[0], last: null }
      return pair({ ...base, source_market_id, source_at }, { source_sequence: seq }, touch)
    },
  }
}

/** Probabilities of markets and of bets. */
export function naiveManifold(): NaiveReader {
  const quoteOf = (base: object, value: number): NaiveQuote => ({
    ...base,
    reported_probability: decimal(value).toFixed(9, Decimal.ROUND_HALF_EVEN),
    raw_value: String(value),
  })
  return {
    read(payload) {
      const document: Json = JSON.parse(payload.text)
      const base = baseOf(payload)
      if (payload.endpoint === 'GET /v0/market-probs') {
        const book = { ...NO_BOOK, confirmed_at: base.received_at }
        return Object.entries<Json>(document).flatMap(([source_market_id, { prob, answerProbs }], i) => {
          const place = { line: i + 1, path: `markets[${i}]`, source_market_id, source_at: base.received_at }
          const answers = Object.entries<number>(answerProbs ?? { YES: prob })
          return answers.map(([outcome, value]) => quoteOf({ ...base, ...place, outcome, book: { ...book } }, value))
        })
      }
      return document.data.bets.map((bet: Json, i: number) => {
        const place = { line: i + 1, path: `bets[${i}]`, source_at: millis(bet.createdTime), book: null }
        const about = { source_market_id: bet.contractId, outcome: bet.answerId ?? 'YES' }
        return quoteOf({ ...base, ...place, ...about }, bet.probAfter)
      })
    },
  }
}
