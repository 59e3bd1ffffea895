import Type, { type TSchema } from 'typebox'
import { INDEX_STATUSES, QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { INDEX_ID } from '../endpoints/index-endpoints.ts'
import { EVENT_ID, MARKET_ID } from '../endpoints/market-endpoints.ts'
import { SEVERITY_INDEX_ID } from '../endpoints/severity-endpoints.ts'
import { IndexObservation } from '../resources/index-observation.ts'
import { IndexVersion } from '../resources/index-version.ts'
import { MarketPrice } from '../resources/market-price.ts'
import { MarketRating } from '../resources/market-rating.ts'
import { Notice } from '../resources/notice.ts'
import { OrderBook } from '../resources/order-book.ts'
import { SeverityAssessment } from '../resources/severity.ts'
import { SeverityIndexValue } from '../resources/severity-index.ts'
import { Trade } from '../resources/trade.ts'
import { closed, Id, Instant, idOf, orNull, texts } from '../scalars.ts'

/** Schema version of stream messages; independent of the REST schemas. */
export const EVENT_SCHEMA_VERSION = '1.0'

/** Data of index.status: the index's status, and the quality of its newest level. */
export const IndexStatus = Type.Object(
  {
    index_id: Id,
    status: texts(INDEX_STATUSES),
    quality_state: orNull(texts(QUALITY_STATES)),
    active_version_id: orNull(Id),
    observation_id: orNull(Id),
    tick_at: orNull(Instant),
    published_at: Instant,
  },
  { ...closed, title: 'IndexStatusEvent' },
)

const OUTCOME_ID = idOf('out', 'outcome_id')

/** One public topic: its filters, message kinds, and the resource in `data`. */
export type Topic = {
  readonly topic: string
  readonly description: string
  /** Filters by name; all of `required_filters` must be given. */
  readonly filters: Readonly<Record<string, TSchema>>
  readonly required_filters: readonly string[]
  readonly kinds: readonly string[]
  readonly data: TSchema
  /** Whether the first message after `subscribed` in snapshot mode is the current state. */
  readonly snapshot: boolean
  /** true: a slow reader receives the latest message of each key; false: every message, or a gap. */
  readonly conflated: boolean
  /**
   * true: an event's prev_seq is the seq of the previous message, so a missing one is detected. false: each message is a whole
   * state, and resuming sends the newest one.
   */
  readonly chained: boolean
  /** Table whose commits the topic publishes; its id is the epoch. */
  readonly table: string
  readonly known_gaps: readonly string[]
}

export const TOPICS = {
  'index.price': {
    topic: 'index.price',
    description: 'Every published level, and every revision of it.',
    filters: { index_id: INDEX_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: IndexObservation,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'index_observation',
    known_gaps: [],
  },
  'index.status': {
    topic: 'index.status',
    description: 'A change of the quality state of an index, or of its newest level.',
    filters: { index_id: INDEX_ID },
    required_filters: [],
    kinds: ['changed'],
    data: IndexStatus,
    snapshot: true,
    conflated: false,
    chained: false,
    table: 'index_observation',
    known_gaps: [
      'a status that changes without a new level is published with the next level',
      'prev_seq is the seq of the previous level, which need not have been a message',
    ],
  },
  'index.rebalance': {
    topic: 'index.rebalance',
    description: 'A new version of an index, when it is published.',
    filters: { index_id: INDEX_ID },
    required_filters: [],
    kinds: ['changed'],
    data: IndexVersion,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'index_version',
    known_gaps: ['no message when a published version takes effect: see effective_from'],
  },
  'market.ticker': {
    topic: 'market.ticker',
    description:
      "A market's newest quotes and marks. For a market listed on Tidemark also its status; seq is then the engine_sequence.",
    filters: { market_id: MARKET_ID },
    required_filters: [],
    kinds: ['changed'],
    data: MarketPrice,
    snapshot: true,
    conflated: true,
    chained: false,
    table: 'market_quote',
    known_gaps: [
      'if one commit has several quotes of a market, only the newest is published',
      'a mark that changes without a new quote is published with the next quote',
      'without market_id, a market listed on Tidemark has a message when the warehouse has its change, with the state of the engine; with market_id, directly from the engine',
      'freshness_ms is omitted, because it depends on when the message is read',
    ],
  },
  'market.trade': {
    topic: 'market.trade',
    description:
      'Public trades, and records that void or correct them. For a market listed on Tidemark, seq is the engine_sequence.',
    filters: { market_id: MARKET_ID },
    required_filters: ['market_id'],
    kinds: ['trade', 'void'],
    data: Trade,
    snapshot: false,
    conflated: false,
    chained: true,
    table: 'public_trade',
    known_gaps: ['venues whose terms keep single trades private'],
  },
  'market.orderbook': {
    topic: 'market.orderbook',
    description:
      'The book of one outcome: a snapshot, then the absolute sizes of changed price levels; quantity "0" removes a level. For a market listed on Tidemark, seq is the engine_sequence, and each engine commit is one delta.',
    filters: { market_id: MARKET_ID, outcome_id: OUTCOME_ID },
    required_filters: ['market_id', 'outcome_id'],
    kinds: ['snapshot', 'delta'],
    data: OrderBook,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'order_book',
    known_gaps: [
      'for other venues, all changes between two stored books are one delta',
      'a book that is stored late, and is older than the newest, is not published',
    ],
  },
  'market.rating': {
    topic: 'market.rating',
    description: 'Every rating record of a market, in any review_state; the snapshot is the one in force.',
    filters: { market_id: MARKET_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: MarketRating,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'market_rating',
    known_gaps: [
      'a record may await review, take effect later or have a lower precedence: GET /v1/markets/{market_id}/rating returns the one in force',
      'no message when a published record takes effect or ends: see effective_from and effective_to',
      'without market_id, markets that were never rated have no snapshot; with market_id, their snapshot is NR',
    ],
  },
  'event.severity': {
    topic: 'event.severity',
    description:
      'Every severity record of an event, of both types and in any review_state; the snapshot has those in force.',
    filters: { event_id: EVENT_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: SeverityAssessment,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'severity_assessment',
    known_gaps: [
      'a record may await review, take effect later or have a lower precedence: GET /v1/events/{event_id}/severity returns the one in force',
      'no message when a published record takes effect or ends: see effective_from and effective_to',
      'without event_id, an event has no snapshot for a type without a record; with event_id, that snapshot is UNKNOWN',
    ],
  },
  'severity_index.value': {
    topic: 'severity_index.value',
    description: 'Every published value of a severity index, and every revision of it. It is not a tradable price.',
    filters: { severity_index_id: SEVERITY_INDEX_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: SeverityIndexValue,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'severity_index_value',
    known_gaps: [],
  },
  'governance.notice': {
    topic: 'governance.notice',
    description: 'Every notice, when it is published. A notice never changes.',
    filters: { index_id: INDEX_ID },
    required_filters: [],
    kinds: ['published'],
    data: Notice,
    snapshot: false,
    conflated: false,
    chained: true,
    table: 'governance_notice',
    known_gaps: ['no snapshot: after a gap, GET /v1/governance/notices has every notice since an instant'],
  },
} as const satisfies Record<string, Topic>

export type TopicName = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[]

/** Returns a topic, typed as `Topic`. */
export function topicOf(name: TopicName): Topic {
  return TOPICS[name]
}
