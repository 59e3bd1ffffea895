import type { Micros } from '../../../primitives/instants.ts'
import type { TopicName } from '../../../protocol/stream/topics.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { OWN_TABLES } from '../../own-venue/own-feed.ts'
import { ownMarketOf } from '../../own-venue/own-market-of.ts'
import { OwnTickers } from '../../own-venue/own-tickers.ts'
import type { OwnVenue } from '../../own-venue/own-venue.ts'
import type { HubPorts } from '../hub.ts'
import { joinFeeds } from '../hub-feed.ts'
import type { StreamProjections } from '../projections.ts'
import { indexPriceSource, indexRebalanceSource, indexStatusSource } from './index-sources.ts'
import { marketOrderbookSource } from './market-orderbook.ts'
import { marketTickerSource } from './market-ticker.ts'
import { marketTradeSource } from './market-trade.ts'
import { type OwnPorts, type OwnTopic, ownSources } from './own-sources.ts'
import {
  eventSeveritySource,
  governanceNoticeSource,
  marketRatingSource,
  severityIndexValueSource,
} from './record-sources.ts'
import type { TopicSource } from './topic-source.ts'

type Ports = Omit<SourcePorts, 'own'> & {
  readonly reader: Pick<Reader, 'instant'>
  /** null: this process follows no engine, and all markets come from the warehouse. */
  readonly own_venue: OwnVenue | null
  readonly now: () => Micros
}

/** Returns the sources of the stream: the engine's events for topics of markets listed on Tidemark, the warehouse for everything else. */
export function streamOrigins(ports: Ports): Pick<HubPorts, 'feed' | 'sources' | 'sourceOf'> {
  const { reader, own_venue, at, now } = ports
  const tickers = own_venue && new OwnTickers({ venue: own_venue, reader, now })
  const own_ports = tickers && { venue: own_venue, tickers }
  const stored: Readonly<Record<TopicName, TopicSource>> = allSources({ ...ports, own: own_ports })
  if (own_ports === null) {
    return { feed: reader.feed, sources: Object.values(stored), sourceOf: (topic) => stored[topic] }
  }
  const own = ownSources({ ...own_ports, at })
  const own_tables: readonly string[] = Object.values(OWN_TABLES)
  const origins = { own_venue, catalog: reader.catalog }
  return {
    feed: joinFeeds(own_ports.tickers, reader.feed, (table) => !own_tables.includes(table)),
    sources: [...Object.values(stored), ...Object.values(own)],
    sourceOf(topic, [market_id]) {
      // Without a market filter, seqs are those of the warehouse, which includes our markets.
      if (!isOwnTopic(topic, own) || market_id === undefined) return stored[topic]
      return ownMarketOf(origins, market_id) === null ? stored[topic] : own[topic]
    },
  }
}

function isOwnTopic(topic: TopicName, own: Readonly<Record<OwnTopic, TopicSource>>): topic is OwnTopic {
  return topic in own
}

type SourcePorts = {
  readonly own: OwnPorts | null
  readonly reader: Pick<Reader, 'catalog' | 'indexAsOf' | 'latest' | 'feed' | 'assessments'>
  readonly project: StreamProjections
  /** Instant of the state in memory. */
  readonly at: () => Micros
}

/** Returns the source of every topic; a topic without one does not compile. */
function allSources(ports: SourcePorts): Readonly<Record<TopicName, TopicSource>> {
  return {
    'index.price': indexPriceSource(ports),
    'index.status': indexStatusSource(ports),
    'index.rebalance': indexRebalanceSource(ports),
    'market.ticker': marketTickerSource(ports),
    'market.trade': marketTradeSource(ports),
    'market.orderbook': marketOrderbookSource(ports),
    'market.rating': marketRatingSource(ports),
    'event.severity': eventSeveritySource(ports),
    'severity_index.value': severityIndexValueSource(ports),
    'governance.notice': governanceNoticeSource(ports),
  }
}
