import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { BOOK_DEPTH } from '../../../protocol/limits.ts'
import { TOPICS, type TopicName } from '../../../protocol/stream/topics.ts'
import type { BookChange, TradeChange } from '../../../trading/public-market/fold-events.ts'
import type { OwnCommit } from '../../own-venue/kept-commits.ts'
import { OWN_TABLES, type TickerChange } from '../../own-venue/own-feed.ts'
import { isOwnStale, ownBookDeltaOf, ownOrderBookOf, ownPriceOf, ownTradeOf } from '../../own-venue/own-resources.ts'
import { requireOwnOutcome } from '../../own-venue/own-routes.ts'
import type { OwnTickers } from '../../own-venue/own-tickers.ts'
import type { OwnVenue } from '../../own-venue/own-venue.ts'
import type { Key, TopicSource, TopicState } from './topic-source.ts'

/** The markets listed here, and their tickers. */
export type OwnPorts = { readonly venue: OwnVenue; readonly tickers: OwnTickers }

type Ports = OwnPorts & {
  /** Instant of the state in memory. */
  readonly at: () => Micros
}

type TickerCommit = { readonly table: string; readonly rows: readonly TickerChange[] }

/** Topics whose messages about markets listed on Tidemark derive from the engine's events. */
export type OwnTopic = Extract<TopicName, 'market.orderbook' | 'market.trade' | 'market.ticker'>

/** Returns the sources of these topics: numbered by engine_sequence, the same in every process. */
export function ownSources(ports: Ports): Readonly<Record<OwnTopic, TopicSource>> {
  return {
    'market.orderbook': orderbookSource(ports),
    'market.trade': tradeSource(),
    'market.ticker': tickerSource(ports),
  }
}

/** One message per book and batch: between the events of a batch the book may be crossed. */
function orderbookSource({ venue, at }: Ports): TopicSource<OwnCommit<BookChange>> {
  const outcomeOf = ([market_id, outcome_id]: Key) => requireOwnOutcome(venue.market(market_id!)!, outcome_id!)
  return {
    topic: TOPICS['market.orderbook'],
    table: OWN_TABLES.books,
    check(key) {
      outcomeOf(key)
    },
    eventsOf: ({ rows, published_at }, _head_before, wanted) =>
      rows.flatMap((change) => {
        const { market, outcome_id } = change.outcome
        const key = [market.market_id, outcome_id]
        if (!wanted(key)) return []
        const { seq, prev_seq } = change
        const data = () => jsonBytes(ownBookDeltaOf(change, published_at))
        return [{ key, kind: 'delta', seq, prev_seq: [prev_seq, prev_seq, prev_seq], published_at, data }]
      }),
    statesOf(key) {
      const outcome = outcomeOf(key)
      const is_stale = isOwnStale(outcome.market, venue.confirmed_at(), at())
      const book = ownOrderBookOf(outcome, BOOK_DEPTH.max, is_stale)
      // The label is the market's, which may have changed after the book did.
      const published_at = formatMicros(Math.max(outcome.book.at, outcome.market.at))
      return [{ key, seq: book.sequence, published_at, data: () => jsonBytes(book) }]
    },
  }
}

function tradeSource(): TopicSource<OwnCommit<TradeChange>> {
  return {
    topic: TOPICS['market.trade'],
    table: OWN_TABLES.trades,
    check: () => undefined,
    eventsOf: ({ rows, published_at }, head_before, wanted) =>
      rows.flatMap(({ trade, seq, prev_seq }) => {
        const key = [trade.market.market_id]
        if (!wanted(key)) return []
        const data = () => jsonBytes(ownTradeOf(trade))
        const kind = trade.correction?.kind === 'void' ? 'void' : 'trade'
        return [{ key, kind, seq, prev_seq: [head_before, prev_seq], published_at, data }]
      }),
    statesOf: () => [],
  }
}

/** State of a market of ours, and its instant: REST gives the same view as of it. */
export type OwnTicker = Pick<TopicState, 'seq' | 'published_at' | 'data'>

/** Returns the newest ticker of a market of ours; null: there is none yet. @param at instant by which it is labeled; null: its own */
export function ownTickerOf({ venue, tickers }: OwnPorts, market_id: string, at: Micros | null): OwnTicker | null {
  const view = tickers.view(market_id)
  if (view === null) return null
  const { market, marks } = view
  const [confirmed_at, labeled] = at === null ? [view.at, view.at] : [venue.confirmed_at(), at]
  const data = () => jsonBytes(ownPriceOf(market, marks, confirmed_at, labeled).price)
  return { seq: market.sequence, published_at: formatMicros(view.at), data }
}

/** One message per market and batch, or for several batches that the warehouse's memory reaches together. */
function tickerSource({ at, ...own }: Ports): TopicSource<TickerCommit> {
  return {
    topic: TOPICS['market.ticker'],
    table: OWN_TABLES.tickers,
    check: () => undefined,
    eventsOf: ({ rows }, head_before, wanted) =>
      rows.flatMap(({ market, at, seq, prev_seq }) => {
        const key = [market.market_id]
        if (!wanted(key)) return []
        const data = () => jsonBytes(ownPriceOf(market, own.tickers.marksAt(market.market_id, at), at, at).price)
        const published_at = formatMicros(at)
        return [{ key, kind: 'changed', seq, prev_seq: [head_before, prev_seq], published_at, data }]
      }),
    statesOf(key) {
      const ticker = ownTickerOf(own, key[0]!, at())
      return ticker === null ? [] : [{ key, ...ticker }]
    },
  }
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
