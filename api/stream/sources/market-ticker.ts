import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { once } from '../../../primitives/once.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import { OWN_VENUE } from '../../../vocabulary/venue.ts'
import type { FeedCommit, Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket, venueOfMarket } from './market-checks.ts'
import { type OwnPorts, ownTickerOf } from './own-sources.ts'
import type { TopicEvent, TopicSource, TopicState } from './topic-source.ts'

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'latest' | 'feed'>
  readonly project: StreamProjections
  /** Instant of the state in memory. */
  readonly at: () => Micros
  /** null: this process follows no engine, and all markets come from the warehouse. */
  readonly own: OwnPorts | null
}

/**
 * market.ticker: one message per market and commit, with its newest quotes and marks at that moment. A market of ours is numbered by
 * the warehouse's commits here, too, but its data is the engine's, as in REST.
 */
export function marketTickerSource({ reader, project, at, own }: Ports): TopicSource<FeedCommit> {
  const { catalog, latest } = reader
  const price = (market_id: string, at: Micros) =>
    catalog(null).market(market_id) === null ? null : project.marketPrice(market_id, at)
  const isListedHere = (market_id: string) => own !== null && own.venue.market(market_id) !== null
  const ownTicker = (market_id: string, at: Micros | null) => ownTickerOf(own!, market_id, at)
  /** While the books of our markets are being read, nothing is known of them. */
  const isAwaited = (venue_id: string) => venue_id === OWN_VENUE && own?.venue.phase() === 'starting'
  return {
    topic: TOPICS['market.ticker'],
    check([market_id]) {
      if (market_id !== undefined) requirePublicMarket(reader, market_id, project.pricesArePublic, 'prices')
    },
    eventsOf(commit, head_before, wanted) {
      const events = new Map<string, TopicEvent>()
      for (const row of commit.rows) {
        const market_id = String(row.row.market_id)
        const venue_id = String(row.row.venue_id)
        if (!wanted([market_id]) || !project.pricesArePublic(venue_id) || isAwaited(venue_id)) continue
        // A market with several rows is published at its last row, with the prev_seq of its first one.
        const before = events.get(market_id)?.prev_seq ?? [head_before, row.prev_seq]
        events.delete(market_id)
        const published_at = String(row.row.published_at)
        const stored = { published_at, data: once(() => price(market_id, toMicros(published_at))) }
        const ticker = isListedHere(market_id) ? ownTicker(market_id, null) : stored
        if (ticker !== null)
          events.set(market_id, { key: [market_id], kind: 'changed', ...ticker, seq: row.seq, prev_seq: before })
      }
      return [...events.values()]
    },
    statesOf([market_id]) {
      const now = at()
      const markets = market_id === undefined ? catalog(null).markets() : [catalog(null).market(market_id)!]
      const shown = markets.filter((market) => {
        const venue_id = venueOfMarket(market)
        return project.pricesArePublic(venue_id) && !isAwaited(venue_id)
      })
      const stateOf = (market_id: string): TopicState[] => {
        const stored = { published_at: formatMicros(now), data: () => price(market_id, now) }
        const ticker = isListedHere(market_id) ? ownTicker(market_id, now) : stored
        const seq = Math.max(0, ...latest.quotes(market_id).map((placed) => placed.seq))
        const bytes = ticker?.data() ?? null
        return bytes === null ? [] : [{ key: [market_id], seq, published_at: ticker!.published_at, data: () => bytes }]
      }
      return shown.flatMap((market) => stateOf(String(market.market_id)))
    },
  }
}
