import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { FeedCommit, FeedRow, Placed, Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { requireOutcome, requirePublicMarket } from './market-checks.ts'
import type { TopicEvent, TopicSource } from './topic-source.ts'

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'latest'>
  readonly project: StreamProjections
  /** Instant of the state in memory. */
  readonly at: () => Micros
}

/**
 * market.orderbook: publishes every row of order_book that becomes the newest of its outcome as a delta from the previous one; the
 * first one is the whole book. `prev_seq` is the sequence of the previous book.
 */
export function marketOrderbookSource({ reader, project, at }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['market.orderbook'],
    check([market_id, outcome_id]) {
      requireOutcome(requirePublicMarket(reader, market_id!, project.pricesArePublic, 'prices'), outcome_id!)
    },
    eventsOf: (commit, _head_before, wanted) =>
      commit.rows.flatMap((placed) => {
        const key = [String(placed.row.market_id), String(placed.row.outcome_id)]
        if (!wanted(key) || !isNewest(placed) || !project.pricesArePublic(String(placed.row.venue_id))) return []
        return [eventOf(key, placed, project)]
      }),
    statesOf([market_id, outcome_id]) {
      const book = reader.latest.book(market_id!, outcome_id!)
      if (book === null) return []
      const [key, now] = [[market_id!, outcome_id!], at()]
      const data = () => jsonBytes(project.orderBook(book, now))
      return [{ key, seq: book.seq, published_at: formatMicros(now), data }]
    },
  }
}

function eventOf(key: readonly string[], placed: FeedRow, project: StreamProjections): TopicEvent {
  const { row, seq, previous } = placed
  const base = previous?.seq ?? 0
  const at = toMicros(row.published_at)
  const levels = (book: Placed) => project.bookLevels(book, at)
  const make = (): OrderBook => (previous === null ? levels(placed) : bookDelta(levels(previous), levels(placed)))
  const kind = previous === null ? 'snapshot' : 'delta'
  return {
    key,
    kind,
    seq,
    prev_seq: [base, base, base],
    published_at: String(row.published_at),
    data: () => jsonBytes(make()),
  }
}

/** Reports whether a row has the greatest (source_at, received_at, revision); the later of equals wins. */
function isNewest({ row, previous }: FeedRow): boolean {
  if (previous === null) return true
  const difference =
    toMicros(row.source_at) - toMicros(previous.row.source_at) ||
    toMicros(row.received_at) - toMicros(previous.row.received_at) ||
    (row.revision as number) - (previous.row.revision as number)
  return difference >= 0
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

type Side = OrderBook['bids']

/**
 * Returns the delta from one book to the next: `after` with only its new or changed price levels, in absolute sizes and best first,
 * then the removed ones with quantity "0".
 */
function bookDelta(before: OrderBook, after: OrderBook): OrderBook {
  return { ...after, bids: sideDelta(before.bids, after.bids), asks: sideDelta(before.asks, after.asks) }
}

function sideDelta(before: Side, after: Side): Side {
  const known = new Map(before.map((level) => [level.price, level]))
  const present = new Set(after.map(({ price }) => price))
  const changed = after.filter((level) => {
    const old = known.get(level.price)
    return old === undefined || !isSameLevel(old, level)
  })
  const gone = before.filter(({ price }) => !present.has(price))
  return [
    ...changed,
    ...gone.map(({ price }) => ({ price, quantity: '0', order_count: null, derived: false, parts: [] })),
  ]
}

function isSameLevel(a: Side[number], b: Side[number]): boolean {
  if (a.quantity !== b.quantity || a.order_count !== b.order_count || a.parts.length !== b.parts.length) return false
  return a.parts.every(({ quantity, derived }, ordinal) => {
    const other = b.parts[ordinal]!
    return quantity === other.quantity && derived === other.derived
  })
}
