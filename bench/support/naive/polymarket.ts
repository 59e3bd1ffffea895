import type { BookRecord, QuoteBook, QuoteRecord } from '../../../pipelines/venues/record.ts'
import {
  BOOK,
  type Book,
  baseOf,
  instantOf,
  type Json,
  LastBooks,
  type Level,
  levelTexts,
  type NaiveReader,
  NO_BOOK,
  type OutcomePlace,
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

type Outcome = { source_market_id: string; outcome: string }
/** `quoted_at`: source time of the last quote. */
type Live = { book: Book; shown: string; shows_at: number; quoted_at: number; last_trade: string | null }

/** Returns a reader of both tokens' books from `GET /book` and the market channel. */
export function naivePolymarket(): NaiveReader {
  const outcomes = new Map<string, Outcome>()
  const books = new Map<string, Live>()
  const last_books = new LastBooks()

  const outcomeOf = (token: string, market: string): Outcome => {
    const found = required(outcomes.get(required(token)))
    if (found.source_market_id !== required(market)) throw new RangeError('the token is of another market')
    return found
  }
  const levelsOf = (list: Json): Level[] =>
    required<Json>(list).map((level: Json) => ({ price: priceOf(level.price), quantity: quantityOf(level.size) }))
  const bookOf = (message: Json): Book => ({
    bids: sorted(levelsOf(message.bids), 'highest'),
    asks: sorted(levelsOf(message.asks), 'lowest'),
  })
  const recordOf = (place: OutcomePlace, { bids, asks }: Book): BookRecord => {
    const levels = { bids: levelTexts(bids), asks: levelTexts(asks) }
    return { ...place, ...BOOK, ...levels, asks_derived: false }
  }
  const quoteOf = (place: OutcomePlace, book: Partial<QuoteBook>): QuoteRecord => {
    return { ...place, ...QUOTE, book: { ...NO_BOOK, ...book } }
  }

  return {
    read(payload) {
      const document: Json = JSON.parse(payload.text)
      const base = baseOf(payload)
      const { received_at } = payload
      const ended: BookRecord[] = last_books.over(received_at)
      if (payload.endpoint === 'GET /markets') {
        for (const market of document) {
          const [tokens, labels] = [JSON.parse(market.clobTokenIds), JSON.parse(market.outcomes)]
          tokens.forEach((token: string, i: number) => {
            outcomes.set(token, { source_market_id: market.conditionId, outcome: labels[i].toUpperCase() })
          })
        }
        return { books: ended }
      }
      const source_at = instantOf(Number(required(document.timestamp)) * 1000, received_at)
      if (payload.endpoint === 'GET /book') {
        const place = { ...base, ...outcomeOf(document.asset_id, document.market), source_at }
        const book = bookOf(document)
        const last = document.last_trade_price
        const last_trade = last === '' ? null : priceText(priceOf(last))
        const quote = quoteOf(place, { ...touchOf(book), last_trade, confirmed_at: received_at })
        return { quotes: [quote], books: [...ended, recordOf(place, book)] }
      }
      if (document.event_type === 'book') {
        const { asset_id } = document
        const place = { ...base, ...outcomeOf(asset_id, document.market), source_at }
        const last = document.last_trade_price
        const last_trade = last === undefined || last === '' ? null : priceText(priceOf(last))
        const live = { book: bookOf(document), shown: '', shows_at: source_at, quoted_at: source_at, last_trade }
        ended.push(...last_books.note(asset_id, source_at, () => [recordOf(place, live.book)]))
        const touch = touchOf(live.book)
        live.shown = JSON.stringify(touch)
        books.set(asset_id, live)
        return { quotes: [quoteOf(place, { ...touch, last_trade, confirmed_at: received_at })], books: ended }
      }
      const quotes: QuoteRecord[] = []
      // At most one change per token and message.
      required<Json>(document.price_changes).forEach((change: Json, i: number) => {
        const live = required(books.get(change.asset_id))
        live.shows_at = Math.max(live.shows_at, source_at)
        const about = outcomeOf(change.asset_id, document.market)
        const place = { ...base, ...about, path: `price_changes[${i}]`, source_at: live.shows_at }
        const [price, quantity] = [priceOf(change.price), quantityOf(change.size)]
        ended.push(...last_books.note(change.asset_id, live.shows_at, () => [recordOf(place, live.book)]))
        if (change.side === 'BUY') setLevel(live.book.bids, price, quantity, 'highest')
        else if (change.side === 'SELL') setLevel(live.book.asks, price, quantity, 'lowest')
        else throw new RangeError('side')
        const [best_bid, best_ask] = [priceOf(change.best_bid), priceOf(change.best_ask)]
        if (!best_bid.eq(live.book.bids[0]?.price ?? 0) || !best_ask.eq(live.book.asks[0]?.price ?? 1)) {
          throw new RangeError('the book is not that of the venue')
        }
        const touch = touchOf(live.book)
        const shown = JSON.stringify(touch)
        if (shown === live.shown && live.shows_at - live.quoted_at < STANDS) return
        live.shown = shown
        live.quoted_at = live.shows_at
        quotes.push(quoteOf(place, { ...touch, last_trade: live.last_trade }))
      })
      return { quotes, books: ended }
    },
    finish: () => last_books.finish(),
  }
}
