import type { TopicName } from '../../../protocol/stream/topics.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { indexPriceSource, indexRebalanceSource, indexStatusSource } from './index-sources.ts'
import { marketOrderbookSource } from './market-orderbook.ts'
import { marketTickerSource } from './market-ticker.ts'
import { marketTradeSource } from './market-trade.ts'
import { eventSeveritySource, marketRatingSource, severityIndexValueSource } from './record-sources.ts'
import type { TopicSource } from './topic-source.ts'

export type SourcePorts = {
  readonly reader: Pick<Reader, 'catalog' | 'latest' | 'feed' | 'assessments'>
  readonly project: StreamProjections
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The source of every topic: a topic without one does not compile. */
export function allSources(ports: SourcePorts): Readonly<Record<TopicName, TopicSource>> {
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
  }
}
