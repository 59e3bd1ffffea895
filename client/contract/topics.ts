import type * as t from './types.ts'

/** Public topics of the stream, made from the AsyncAPI document by `npm run docs`. */
export type PublicTopics = {
  /** Every published level, and every revision of it. */
  'index.price': { filters: { index_id?: string }; kind: 'published' | 'corrected'; has_snapshot: true; data: t.IndexObservation }
  /** A change of the quality state of an index, or of its newest level. */
  'index.status': { filters: { index_id?: string }; kind: 'changed'; has_snapshot: true; data: { index_id: string; status: 'draft' | 'scheduled' | 'active' | 'suspended' | 'archived'; quality_state: 'valid' | 'indicative' | 'stale' | 'degraded' | 'suspended' | 'corrected' | null; active_version_id: string | null; observation_id: string | null; tick_at: string | null; published_at: string } }
  /** A new version of an index, when it is published. */
  'index.rebalance': { filters: { index_id?: string }; kind: 'changed'; has_snapshot: true; data: t.IndexVersion }
  /** A market's newest quotes and marks. */
  'market.ticker': { filters: { market_id?: string }; kind: 'changed'; has_snapshot: true; data: t.MarketPrice }
  /** Public trades, and records that void or correct them. */
  'market.trade': { filters: { market_id: string }; kind: 'trade' | 'void'; has_snapshot: false; data: t.Trade }
  /** The book of one outcome: a snapshot, then the absolute sizes of changed price levels; quantity "0" removes a level. */
  'market.orderbook': { filters: { market_id: string; outcome_id: string }; kind: 'snapshot' | 'delta'; has_snapshot: true; data: t.OrderBook }
  /** Every rating record of a market, in any review_state; the snapshot is the one in force. */
  'market.rating': { filters: { market_id?: string }; kind: 'published' | 'corrected'; has_snapshot: true; data: t.MarketRating }
  /** Every severity record of an event, of both types and in any review_state; the snapshot has those in force. */
  'event.severity': { filters: { event_id?: string }; kind: 'published' | 'corrected'; has_snapshot: true; data: t.SeverityAssessment }
  /** Every published value of a severity index, and every revision of it. */
  'severity_index.value': { filters: { severity_index_id?: string }; kind: 'published' | 'corrected'; has_snapshot: true; data: t.SeverityIndexValue }
  /** Every notice, when it is published. */
  'governance.notice': { filters: { index_id?: string }; kind: 'published'; has_snapshot: false; data: t.Notice }
}

export type PublicTopicName = keyof PublicTopics

/** Filters of each topic, and whether each event names the one before it, so that a missing one is noticed. */
export const PUBLIC_TOPICS: Readonly<
  Record<
    PublicTopicName,
    { readonly filters: readonly string[]; readonly required: readonly string[]; readonly is_chained: boolean }
  >
> = {
  'index.price': { filters: ['index_id'], required: [], is_chained: true },
  'index.status': { filters: ['index_id'], required: [], is_chained: false },
  'index.rebalance': { filters: ['index_id'], required: [], is_chained: true },
  'market.ticker': { filters: ['market_id'], required: [], is_chained: false },
  'market.trade': { filters: ['market_id'], required: ['market_id'], is_chained: true },
  'market.orderbook': { filters: ['market_id', 'outcome_id'], required: ['market_id', 'outcome_id'], is_chained: true },
  'market.rating': { filters: ['market_id'], required: [], is_chained: true },
  'event.severity': { filters: ['event_id'], required: [], is_chained: true },
  'severity_index.value': { filters: ['severity_index_id'], required: [], is_chained: true },
  'governance.notice': { filters: ['index_id'], required: [], is_chained: true },
}
