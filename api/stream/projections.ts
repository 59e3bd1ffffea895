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

/** What the stream's `data` is made by, the same as REST's: bytes of a resource's JSON, or the resource where it is changed further. */
export type StreamProjections = {
  readonly indexObservation: (row: Row) => Buffer
  readonly indexVersion: (row: Row) => Buffer
  readonly trade: (row: Row) => Buffer
  readonly marketRating: (row: Row) => Buffer
  /** What stands where no rating of a market is in force. */
  readonly notRated: (market_id: string) => Buffer
  readonly severityAssessment: (row: Row) => Buffer
  /** What stands where no assessment of an event is in force. @param waits one is under review */
  readonly notAssessed: (event_id: string, assessment_type: string, waits: boolean) => Buffer
  readonly severityIndexValue: (row: Row) => Buffer
  /** The price view of a market as it stands in memory, of the instant `at`; null where it was never quoted. */
  readonly marketPrice: (market_id: string, at: Micros) => Buffer | null
  /** Whole, as deep as REST shows one. */
  readonly orderBook: (placed: Placed) => OrderBook
  readonly pricesArePublic: (venue_id: string) => boolean
  readonly tradesArePublic: (venue_id: string) => boolean
}

const jsonBytes = (resource: unknown) => Buffer.from(JSON.stringify(resource))

/** The projections of the REST routes. */
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
