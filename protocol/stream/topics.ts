import Type, { type TSchema } from 'typebox'
import { INDEX_STATUSES, QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { INDEX_ID } from '../endpoints/index-endpoints.ts'
import { EVENT_ID, MARKET_ID } from '../endpoints/market-endpoints.ts'
import { SEVERITY_INDEX_ID } from '../endpoints/severity-endpoints.ts'
import { IndexObservation } from '../resources/index-observation.ts'
import { IndexVersion } from '../resources/index-version.ts'
import { MarketPrice } from '../resources/market-price.ts'
import { MarketRating } from '../resources/market-rating.ts'
import { OrderBook } from '../resources/order-book.ts'
import { SeverityAssessment } from '../resources/severity.ts'
import { SeverityIndexValue } from '../resources/severity-index.ts'
import { Trade } from '../resources/trade.ts'
import { closed, Id, Instant, idOf, orNull, texts } from '../scalars.ts'

/** Schema version of stream messages; independent of the REST schemas. */
export const EVENT_SCHEMA_VERSION = '1.0'

/** What index.status carries: the index's status, and the quality of its newest level. */
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

/** One public topic: its filters, the kinds of its messages and the resource that `data` is. */
export type Topic = {
  readonly topic: string
  readonly description: string
  /** Filters by name; all of `required_filters` must be given. */
  readonly filters: Readonly<Record<string, TSchema>>
  readonly required_filters: readonly string[]
  readonly kinds: readonly string[]
  readonly data: TSchema
  /** The first message after `subscribed` in snapshot mode is the current state. */
  readonly snapshot: boolean
  /** A reader that is behind gets the latest of each key; else each message or a gap. */
  readonly conflated: boolean
  /**
   * An event's prev_seq is the seq of the message before it, so a missing one is seen. Else each message is a whole state, and
   * resuming gives the newest one.
   */
  readonly chained: boolean
  /** Table whose commits the topic follows; its id is the epoch. */
  readonly table: string
  readonly known_gaps: readonly string[]
}

export const TOPICS = {
  'index.price': {
    topic: 'index.price',
    description: 'Every published level and every revision of one.',
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
      'a status that changes without a level is seen with the next level',
      'prev_seq is the place of the level before, which need not have been a message',
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
    known_gaps: ['no message when a published version comes into force: effective_from says when'],
  },
  'market.ticker': {
    topic: 'market.ticker',
    description:
      "A market's newest quotes and marks. Of a market listed here also its status; seq is the engine_sequence.",
    filters: { market_id: MARKET_ID },
    required_filters: [],
    kinds: ['changed'],
    data: MarketPrice,
    snapshot: true,
    conflated: true,
    chained: false,
    table: 'market_quote',
    known_gaps: [
      'quotes of one commit of one market are one message: the newest',
      'a mark that changes without a quote is seen with the next quote',
      'without market_id, markets listed here are told when the warehouse has them; with it, straight from the engine',
      'freshness_ms is left out: it ages with the clock of whoever reads',
    ],
  },
  'market.trade': {
    topic: 'market.trade',
    description: 'Public trades, and what voids or corrects them. Of a market listed here seq is the engine_sequence.',
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
      'The book of one outcome: a snapshot, then absolute sizes of changed levels; quantity "0" removes one. Of a market listed here seq is the engine_sequence, and each commit of the engine is one delta.',
    filters: { market_id: MARKET_ID, outcome_id: OUTCOME_ID },
    required_filters: ['market_id', 'outcome_id'],
    kinds: ['snapshot', 'delta'],
    data: OrderBook,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'order_book',
    known_gaps: [
      'changes between two stored books of another venue are one delta',
      'a book that is stored late, older than the newest, is no message',
    ],
  },
  'market.rating': {
    topic: 'market.rating',
    description: "Every record of a market's ratings, whatever its review_state; first the one in force.",
    filters: { market_id: MARKET_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: MarketRating,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'market_rating',
    known_gaps: [
      'a record may wait for review, take effect later or stand behind another: GET /v1/markets/{market_id}/rating says which is in force',
      'no message when a published record takes effect or ends: effective_from and effective_to say when',
      'a market without a rating in force has no snapshot',
    ],
  },
  'event.severity': {
    topic: 'event.severity',
    description:
      "Every record of an event's severity, of both types and whatever its review_state; first those in force.",
    filters: { event_id: EVENT_ID },
    required_filters: [],
    kinds: ['published', 'corrected'],
    data: SeverityAssessment,
    snapshot: true,
    conflated: false,
    chained: true,
    table: 'severity_assessment',
    known_gaps: [
      'a record may wait for review, take effect later or stand behind another: GET /v1/events/{event_id}/severity says which is in force',
      'no message when a published record takes effect or ends: effective_from and effective_to say when',
      'an event without an assessment in force has no snapshot',
    ],
  },
  'severity_index.value': {
    topic: 'severity_index.value',
    description: 'Every published value of a severity index and every revision of one. It is no tradable price.',
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
} as const satisfies Record<string, Topic>

export type TopicName = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[]

/** One topic, typed as the general form. */
export function topicOf(name: TopicName): Topic {
  return TOPICS[name]
}
