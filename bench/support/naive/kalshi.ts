import type { BookRecord, QuoteBook, QuoteRecord, VenuePayload } from '../../../pipelines/venues/record.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import {
  BOOK,
  type Book,
  baseOf,
  instantOf,
  type Json,
  LastBooks,
  type Level,
  levelTexts,
  minuteOf,
  type NaiveReader,
  type NaiveRecords,
  NO_BOOK,
  ONE,
  type Place,
  priceOf,
  priceText,
  QUOTE,
  quantityOf,
  required,
  STANDS,
  setLevel,
  sorted,
  touchOf,
} from './reader.ts'

/** Bids for YES and for NO, best first; the venue publishes no asks. */
type Ladders = { yes: Level[]; no: Level[] }
/** `quoted_at`: source time of the last quotes. */
type Live = Ladders & { shown: string; quoted_at: number }

/** Returns a reader of ladders, deltas and tickers. */
export function naiveKalshi(): NaiveReader {
  const books = new Map<string, Live>()
  const last_books = new LastBooks()
  const sequences = new Map<number, number>()

  const readTicker = (base: Place, msg: Json): NaiveRecords => {
    const level = (price: Decimal, size: Json): Level[] =>
      price.gt(0) && price.lt(1) ? [{ price, quantity: quantityOf(size) }] : []
    const yes = level(priceOf(msg.yes_bid_dollars), msg.yes_bid_size_fp)
    const no = level(ONE.minus(priceOf(msg.yes_ask_dollars)), msg.yes_ask_size_fp)
    const last = priceOf(msg.price_dollars)
    return { quotes: quotesOf(base, { yes, no }, last.isZero() ? null : last, {}) }
  }
  const change = (msg: Json, { yes, no }: Ladders): void => {
    if (msg.side !== 'yes' && msg.side !== 'no') throw new RangeError('side')
    const side = msg.side === 'yes' ? yes : no
    const price = priceOf(msg.price_dollars)
    const before = side.find((level) => level.price.eq(price))?.quantity ?? new Decimal(0)
    const after = before.plus(required(msg.delta_fp))
    if (after.lt(0)) throw new RangeError('more than rests')
    setLevel(side, price, after, 'highest')
  }
  const readBook = (place: Place, source_at: Micros, { type, sid, seq, msg }: Json): NaiveRecords => {
    const last_seq = sequences.get(required(sid))
    const ended: BookRecord[] = []
    if (last_seq !== undefined && seq !== last_seq + 1) {
      // After a reconnect the venue sends whole books again.
      if (type === 'orderbook_delta') throw new RangeError('messages are missing')
      ended.push(...last_books.finish())
      books.clear()
    }
    sequences.set(sid, required(seq))
    const ticker = msg.market_ticker
    if (type === 'orderbook_snapshot') {
      books.set(ticker, { yes: ladderOf(msg.yes_dollars_fp), no: ladderOf(msg.no_dollars_fp), shown: '', quoted_at: 0 })
    }
    const live = required(books.get(ticker))
    ended.push(...last_books.note(ticker, source_at, () => booksOf(place, live, seq)))
    if (type === 'orderbook_delta') change(msg, live)
    const shown = JSON.stringify([minuteOf(source_at), live.yes[0], live.no[0]])
    if (shown === live.shown && source_at - live.quoted_at < STANDS) return { books: ended }
    live.shown = shown
    live.quoted_at = source_at
    return { quotes: quotesOf(place, live, null, { source_sequence: seq }), books: ended }
  }

  return {
    read(payload) {
      const document: Json = JSON.parse(payload.text)
      const base = baseOf(payload)
      const { received_at } = payload
      const over = last_books.over(received_at)
      if (payload.endpoint === 'GET /markets/{ticker}/orderbook') {
        const { yes_dollars, no_dollars } = required<Json>(document.orderbook_fp)
        const source_market_id = required(payload.request!.split('/')[2])
        const place = { ...base, source_market_id, path: 'orderbook_fp', source_at: received_at }
        const ladders = { yes: ladderOf(yes_dollars), no: ladderOf(no_dollars) }
        const quotes = quotesOf(place, ladders, null, { confirmed_at: received_at })
        return { quotes, books: [...over, ...booksOf(place, ladders, null)] }
      }
      const msg = required<Json>(document.msg)
      const source_at = timeOf(msg, payload)
      const place = { ...base, source_market_id: required(msg.market_ticker), path: 'msg', source_at }
      const read = document.type === 'ticker' ? readTicker(place, msg) : readBook(place, source_at, document)
      return { ...read, books: [...over, ...(read.books ?? [])] }
    },
    finish: () => last_books.finish(),
  }
}

function timeOf({ ts_ms, ts }: Json, { received_at }: VenuePayload): Micros {
  if (ts_ms !== undefined) return instantOf(ts_ms * 1000, received_at)
  if (ts === undefined) return received_at
  // A Date holds milliseconds; the digits after them are the microseconds.
  const micros = /\.\d{3}(\d{1,3})/.exec(ts)?.[1] ?? ''
  return instantOf(new Date(ts).getTime() * 1000 + Number(micros.padEnd(3, '0')), received_at)
}

function ladderOf(list: Json): Level[] {
  const levels = (list ?? []).map(([price, quantity]: Json) => ({
    price: priceOf(price),
    quantity: quantityOf(quantity),
  }))
  return sorted(levels, 'highest')
}

/** Returns the book of an outcome: its own bids, and as asks one minus the other outcome's bids. */
function sideOf(own: Level[], other: Level[]): Book {
  return { bids: own, asks: other.map(({ price, quantity }) => ({ price: ONE.minus(price), quantity })) }
}

function quotesOf(base: Place, { yes, no }: Ladders, last: Decimal | null, beside: Partial<QuoteBook>): QuoteRecord[] {
  const quote = (outcome: string, own: Level[], other: Level[], trade: Decimal | null): QuoteRecord => {
    const touch = touchOf(sideOf(own.slice(0, 1), other.slice(0, 1)))
    const book = { ...NO_BOOK, ...touch, last_trade: trade === null ? null : priceText(trade), ...beside }
    return { ...base, ...QUOTE, outcome, book }
  }
  return [quote('YES', yes, no, last), quote('NO', no, yes, last === null ? null : ONE.minus(last))]
}

function booksOf(base: Place, { yes, no }: Ladders, source_sequence: number | null): BookRecord[] {
  const book = (outcome: string, own: Level[], other: Level[]): BookRecord => {
    const { bids, asks } = sideOf(own, other)
    const levels = { bids: levelTexts(bids), asks: levelTexts(asks) }
    return { ...base, ...BOOK, outcome, ...levels, asks_derived: true, source_sequence }
  }
  return [book('YES', yes, no), book('NO', no, yes)]
}
