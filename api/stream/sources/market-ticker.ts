import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { FeedCommit, FeedRow, Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket, venueOfMarket } from './market-checks.ts'
import type { Key, TopicEvent, TopicSource, TopicState } from './topic-source.ts'

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'latest' | 'feed'>
  readonly project: StreamProjections
  /** Instant of the state in memory. */
  readonly at: () => Micros
}

/** market.ticker: one message per market and commit, with its newest quotes and marks at that moment. */
export function marketTickerSource({ reader, project, at }: Ports): TopicSource<FeedCommit> {
  const { catalog, latest } = reader
  const price = (market_id: string, at: Micros) =>
    catalog(null).market(market_id) === null ? null : project.marketPrice(market_id, at)
  return {
    topic: TOPICS['market.ticker'],
    check([market_id]) {
      if (market_id !== undefined) requirePublicMarket(reader, market_id, project.pricesArePublic, 'prices')
    },
    eventsOf(commit, head_before, wanted) {
      const events = new Map<string, TopicEvent>()
      for (const row of commit.rows) {
        const market_id = String(row.row.market_id)
        if (!wanted([market_id]) || !project.pricesArePublic(String(row.row.venue_id))) continue
        // A market with several rows is published at its last row, with the prev_seq of its first one.
        const before = events.get(market_id)?.prev_seq ?? [head_before, row.prev_seq]
        events.delete(market_id)
        events.set(market_id, eventOf(row, before, price))
      }
      return [...events.values()]
    },
    statesOf([market_id]) {
      const now = at()
      const markets = market_id === undefined ? catalog(null).markets() : [catalog(null).market(market_id)!]
      const shown = markets.filter((market) => project.pricesArePublic(venueOfMarket(market)))
      return shown.flatMap((market) => stateOf(String(market.market_id), latest, (id) => price(id, now), now))
    },
  }
}

function eventOf(
  { row, seq }: FeedRow,
  prev_seq: readonly number[],
  price: (market_id: string, at: Micros) => Buffer | null,
): TopicEvent {
  const [key, published_at]: [Key, string] = [[String(row.market_id)], String(row.published_at)]
  const data = once(() => price(key[0]!, toMicros(published_at)))
  return { key, kind: 'changed', seq, prev_seq, published_at, data }
}

function stateOf(
  market_id: string,
  latest: Reader['latest'],
  price: (market_id: string) => Buffer | null,
  at: Micros,
): TopicState[] {
  const seq = Math.max(0, ...latest.quotes(market_id).map((placed) => placed.seq))
  const bytes = price(market_id)
  return bytes === null ? [] : [{ key: [market_id], seq, published_at: formatMicros(at), data: () => bytes }]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
