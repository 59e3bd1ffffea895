import { OwnFeed } from '../../api/own-venue/own-feed.ts'
import { ownBookDeltaOf } from '../../api/own-venue/own-resources.ts'
import type { OwnVenue } from '../../api/own-venue/own-venue.ts'
import type { StreamOptions } from '../../api/stream/attach-stream.ts'
import { messageId } from '../../api/stream/message.ts'
import { streamProjections } from '../../api/stream/projections.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { TopicName } from '../../protocol/stream/topics.ts'
import type { EngineEvent } from '../../trading/engine/events.ts'
import { PublicMarkets } from '../../trading/public-market/fold-events.ts'
import { levelFeed } from './level-feed.ts'

/** One topic, fed by hand, that is sent to many sockets. */
export type FanOutWorld = {
  readonly options: Pick<StreamOptions, 'reader' | 'own_venue'>
  /** Subscription message of a client. */
  readonly subscribe: string
  /** Number of messages to a socket before its first event. */
  readonly greetings: number
  /** Commits `count` changes, one message each. @returns a function that makes the messages as objects */
  commit(count: number): () => readonly object[]
}

/** Returns a world of one index's levels. */
export function levelWorld(): FanOutWorld {
  const feed = levelFeed()
  const project = streamProjections(feed.reader)
  return {
    options: { reader: feed.reader },
    subscribe: JSON.stringify({ op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_bench' }),
    greetings: 2,
    commit(count) {
      const { rows, epoch } = feed.commit(count)
      return () =>
        rows.map(({ row, seq, prev_seq }) => {
          const data = JSON.parse(project.indexObservation(row, null).toString()) as object
          const place = { epoch, prev_seq, seq, published_at: String(row.published_at) }
          return plainMessage({ topic: 'index.price', key: ['idx_bench'], kind: 'published' }, place, data)
        })
    },
  }
}

const AT: Micros = toMicros('2026-01-01T12:00:00Z')
const MARKET = { market_id: 'mkt_bench', outcome_id: 'out_yes' } as const
/** Price levels changed by one batch. */
const CHANGES = 4

/** Returns a world of the book of one outcome of a market listed here; each batch of the engine is one delta. */
export function ownBookWorld(): FanOutWorld {
  const markets = new PublicMarkets()
  const outcomes = [
    { outcome_id: MARKET.outcome_id, label: 'Yes' },
    { outcome_id: 'out_no', label: 'No' },
  ]
  const { market_id } = MARKET
  markets.list({ market_id, status: 'open', terms: { price_scale: 3, quantity_scale: 2 }, outcomes, created_at: AT })
  const feed = new OwnFeed(markets, () => AT)
  feed.begin('00000000-0000-4000-8000-000000000000')
  const venue: OwnVenue = {
    phase: () => 'ready',
    market: (id) => markets.market(id),
    markets: () => markets.all(),
    confirmed_at: () => AT,
    listing: () => null,
    published_at: () => AT,
    marketAt: async (id) => markets.market(id),
    statesAt: async () => new Map(),
    feed,
    reads: { trades: async () => [] },
    tradeChain: async () => [],
    close: async () => undefined,
  }
  let batch = 0
  const commitBatch = () => {
    batch += 1
    const at = AT + batch * 1000
    const changed = markets.apply(at, eventsOf(batch, at))
    feed.take(changed, true)
    const [change] = changed.books
    return { change: change!, published_at: formatMicros(at) }
  }
  return {
    options: { reader: levelFeed().reader, own_venue: venue },
    subscribe: JSON.stringify({ op: 'subscribe', id: '1', topic: 'market.orderbook', ...MARKET }),
    greetings: 3,
    commit(count) {
      const batches = Array.from({ length: count }, commitBatch)
      return () =>
        batches.map(({ change, published_at }) => {
          const { prev_seq, seq } = change
          const place = { epoch: feed.epoch(), prev_seq, seq, published_at }
          const address = { topic: 'market.orderbook', key: Object.values(MARKET), kind: 'delta' } as const
          return plainMessage(address, place, ownBookDeltaOf(change, published_at))
        })
    },
  }
}

/** Generates changes of a book, 100 prices wide: price levels added, changed and removed on both sides. */
function eventsOf(batch: number, at: Micros): EngineEvent[] {
  return Array.from({ length: CHANGES }, (_, place) => {
    const nth = batch * CHANGES + place
    const [is_bid, step] = [nth % 2 === 0, (nth * 7) % 50]
    return {
      kind: 'book',
      engine_sequence: nth + 1,
      at,
      ...MARKET,
      side: is_bid ? 'BUY' : 'SELL',
      price: is_bid ? 500 - step : 501 + step,
      quantity: nth % 11 === 0 ? 0 : 100 + (nth % 900),
      order_count: 1 + (nth % 5),
    }
  })
}

type Address = { readonly topic: TopicName; readonly key: readonly string[]; readonly kind: string }
type Place = { readonly epoch: string; readonly prev_seq: number; readonly seq: number; readonly published_at: string }

/** Returns a data message of the stream as a plain object. */
function plainMessage({ topic, key, kind }: Address, place: Place, data: object): object {
  const { epoch, prev_seq, seq, published_at } = place
  const address = { type: 'event', sid: [topic, ...key].join(':'), topic, kind }
  const numbers = { event_id: messageId(topic, epoch, seq), event_schema_version: '1.0', epoch, prev_seq, seq }
  return { ...address, ...numbers, published_at, published_at_ts_ms: Date.parse(published_at), data }
}
