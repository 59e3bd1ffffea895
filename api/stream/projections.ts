import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { BOOK_DEPTH } from '../../protocol/limits.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Placed, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { indexVersionOf } from '../resources/index-resources.ts'
import { marketPriceOf, quoteBeside } from '../resources/market-price.ts'
import { notRated } from '../resources/market-rating.ts'
import { bookLevelsOf, orderBookOf, tradeOf } from '../resources/market-records.ts'
import { noticeOf } from '../resources/notices.ts'
import { outcomeIdsOf, textOrNull } from '../resources/pick.ts'
import { notAssessed } from '../resources/severity.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import { isLevelStale, observationBytes } from '../routes/index-prices.ts'
import { ratingBytes } from '../routes/ratings.ts'
import { severityBytes } from '../routes/severity.ts'
import { severityValueBytes } from '../routes/severity-indexes.ts'

/** Projections to the stream's `data`, shared with REST: bytes of a resource's JSON, or a resource that is processed further. */
export type StreamProjections = {
  /** Level, labeled as a read of it at the instant `at`; null: as its record says. */
  readonly indexObservation: (row: Row, at: Micros | null) => Buffer
  readonly indexVersion: (row: Row) => Buffer
  readonly trade: (row: Row) => Buffer
  readonly marketRating: (row: Row) => Buffer
  /** Resource of a market without a rating in force. */
  readonly notRated: (market_id: string) => Buffer
  readonly severityAssessment: (row: Row) => Buffer
  /** Resource of an event without an assessment in force. @param waits true: one is under review */
  readonly notAssessed: (event_id: string, assessment_type: string, waits: boolean) => Buffer
  readonly severityIndexValue: (row: Row) => Buffer
  readonly notice: (row: Row) => Buffer
  /** Price view of a market from memory, at the instant `at`; null: it was neither quoted nor traded. */
  readonly marketPrice: (market_id: string, at: Micros) => Buffer | null
  /** Book with the maximum depth of REST, at the instant `at`. */
  readonly orderBook: (placed: Placed, at: Micros) => OrderBook
  /** The same without what a quote says about it, which is no part of a delta. */
  readonly bookLevels: (placed: Placed, at: Micros) => OrderBook
  readonly pricesArePublic: (venue_id: string) => boolean
  readonly tradesArePublic: (venue_id: string) => boolean
}

const jsonBytes = (resource: unknown) => Buffer.from(JSON.stringify(resource))

/** Returns the projections of the REST routes. */
export function streamProjections({ catalog, latest }: Pick<Reader, 'catalog' | 'latest'>): StreamProjections {
  const rows = (placed: readonly Placed[]) => placed.map(({ row }) => row)
  const statusOf = (market_id: string) => textOrNull(catalog(null).market(market_id)?.status)
  return {
    indexObservation: (row, at) => observationBytes(row, at !== null && isLevelStale(catalog(null), row, at)),
    indexVersion: (row) => jsonBytes(indexVersionOf(row)),
    trade: (row) => jsonBytes(tradeOf(row)),
    marketRating: ratingBytes,
    notRated: (market_id) => jsonBytes(notRated(market_id)),
    severityAssessment: severityBytes,
    notAssessed: (...what) => jsonBytes(notAssessed(...what)),
    severityIndexValue: severityValueBytes,
    notice: (row) => jsonBytes(noticeOf(row)),
    marketPrice(market_id, at) {
      const market = catalog(null).market(market_id)
      invariant(market !== null, `${market_id} is in the catalogue before it is asked for`)
      const quotes = rows(latest.quotes(market_id))
      const books = outcomeIdsOf(market).map((outcome_id) => latest.book(market_id, outcome_id))
      const [trades, marks] = [latest.lastTrades(market_id), rows(latest.marks(market_id))]
      const known = { quotes, trades, marks, books: books.filter((book) => book !== null) }
      const view = marketPriceOf({ market, ...known }, at)
      return view === null ? null : jsonBytes(view.price)
    },
    orderBook(placed, at) {
      const [market_id, outcome_id] = [String(placed.row.market_id), String(placed.row.outcome_id)]
      const quote = quoteBeside(rows(latest.quotes(market_id)), outcome_id)
      return orderBookOf({ book: placed, quote, market_status: statusOf(market_id), at }, BOOK_DEPTH.max).book
    },
    bookLevels(placed, at) {
      const market_status = statusOf(String(placed.row.market_id))
      return bookLevelsOf({ book: placed, market_status, at }, BOOK_DEPTH.max)
    },
    pricesArePublic,
    tradesArePublic,
  }
}
