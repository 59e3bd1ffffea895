import type { Instant } from '../../../primitives/instants.ts'
import type { Topic, TopicName } from '../../../protocol/stream/topics.ts'
import type { HubCommit } from '../hub-feed.ts'

/** Filter values in the topic's order: `[market_id, outcome_id]`. Given ones are a prefix; none: everything. */
export type Key = readonly string[]

/** Message of a topic, before it is addressed to subscriptions. */
export type TopicEvent = {
  /** All filter values of its subject. */
  readonly key: Key
  readonly kind: string
  readonly seq: number
  /** Seq of the previous message, by the number of filters of a subscription. */
  readonly prev_seq: readonly number[]
  readonly published_at: Instant
  /** JSON of the resource, built on demand; null: there is nothing to send. */
  readonly data: () => Buffer | null
}

/** State of one subject in a snapshot. */
export type TopicState = Pick<TopicEvent, 'key' | 'seq' | 'published_at'> & { readonly data: () => Buffer }

/** Reports whether any subscription wants a full key. */
export type Wanted = (key: Key) => boolean

/** Source of the messages of one topic; `C` is the commit type of its feed. */
export type TopicSource<C extends HubCommit = HubCommit> = {
  readonly topic: Topic & { readonly topic: TopicName }
  /** Table that numbers its messages; default: the topic's table of the warehouse. */
  readonly table?: string
  /** @throws {ServiceError} *_NOT_FOUND, SOURCE_NOT_PUBLIC: the filter values name nothing public */
  check(key: Key): void
  /**
   * Returns the messages of a commit in order, the same in every process.
   * @param head_before seq of the table's last row before the commit
   */
  eventsOf(commit: C, head_before: number, wanted: Wanted): TopicEvent[]
  /** Returns the current states, sorted by seq. */
  statesOf(key: Key): TopicState[]
}
