import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { BOOK_DEPTH } from '../../protocol/limits.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Placed, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { indexVersionOf } from '../resources/index-resources.ts'
import { marketPriceOf } from '../resources/market-price.ts'
import { notRated } from '../resources/market-rating.ts'
import { orderBookOf, tradeOf } from '../resources/market-records.ts'
import { notAssessed } from '../resources/severity.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import { observationBytes } from '../routes/index-prices.ts'
import { ratingBytes } from '../routes/ratings.ts'
import { severityBytes } from '../routes/severity.ts'
import { severityValueBytes } from '../routes/severity-indexes.ts'

/** Projections to the stream's `data`, shared with REST: bytes of a resource's JSON, or a resource that is processed further. */
export type StreamProjections = {
  readonly indexObservation: (row: Row) => Buffer
  readonly indexVersion: (row: Row) => Buffer
  readonly trade: (row: Row) => Buffer
  readonly marketRating: (row: Row) => Buffer
  /** Resource of a market without a rating in force. */
  readonly notRated: (market_id: string) => Buffer
  readonly severityAssessment: (row: Row) => Buffer
  /** Resource of an event without an assessment in force. @param waits true: one is under review */
  readonly notAssessed: (event_id: string, assessment_type: string, waits: boolean) => Buffer
  readonly severityIndexValue: (row: Row) => Buffer
  /** Price view of a market from memory, at the instant `at`; null: it was never quoted. */
  readonly marketPrice: (market_id: string, at: Micros) => Buffer | null
  /** Book with the maximum depth of REST. */
  readonly orderBook: (placed: Placed) => OrderBook
  readonly pricesArePublic: (venue_id: string) => boolean
  readonly tradesArePublic: (venue_id: string) => boolean
}

const jsonBytes = (resource: unknown) => Buffer.from(JSON.stringify(resource))

/** Returns the projections of the REST routes. */
export function streamProjections({ catalog, latest }: Pick<Reader, 'catalog' | 'latest'>): StreamProjections {
  const rows = (placed: readonly Placed[]) => placed.map(({ row }) => row)
  return {
    indexObservation: observationBytes,
    indexVersion: (row) => jsonBytes(indexVersionOf(row)),
    trade: (row) => jsonBytes(tradeOf(row)),
    marketRating: ratingBytes,
    notRated: (market_id) => jsonBytes(notRated(market_id)),
    severityAssessment: severityBytes,
    notAssessed: (...what) => jsonBytes(notAssessed(...what)),
    severityIndexValue: severityValueBytes,
    marketPrice(market_id, at) {
      const market = catalog(null).market(market_id)
      invariant(market !== null, `${market_id} is in the catalogue before it is asked for`)
      const quotes = rows(latest.quotes(market_id))
      const view = marketPriceOf({ market, quotes, marks: rows(latest.marks(market_id)) }, at)
      return view === null ? null : jsonBytes(view.price)
    },
    orderBook: (placed) => orderBookOf(placed, BOOK_DEPTH.max),
    pricesArePublic,
    tradesArePublic,
  }
}
