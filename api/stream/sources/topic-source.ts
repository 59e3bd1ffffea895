import type { Instant } from '../../../primitives/instants.ts'
import type { Topic, TopicName } from '../../../protocol/stream/topics.ts'
import type { HubCommit } from '../hub-feed.ts'

/** Values of a topic's filters in the order of the topic: `[market_id, outcome_id]`. Given ones are a prefix; none: everything. */
export type Key = readonly string[]

/** A message of a topic before it is addressed to subscriptions. */
export type TopicEvent = {
  /** All filter values of what it is about. */
  readonly key: Key
  readonly kind: string
  readonly seq: number
  /** The message before it, by how many filters a subscription gave. */
  readonly prev_seq: readonly number[]
  readonly published_at: Instant
  /** JSON of the resource; made when somebody gets it. null: there is nothing to send after all. */
  readonly data: () => Buffer | null
}

/** The state of one thing that a snapshot is made of. */
export type TopicState = Pick<TopicEvent, 'key' | 'seq' | 'published_at'> & { readonly data: () => Buffer }

/** Whether anybody is interested in what a full key names. */
export type Wanted = (key: Key) => boolean

/** Where messages of one topic come from; `C` is what its feed commits. */
export type TopicSource<C extends HubCommit = HubCommit> = {
  readonly topic: Topic & { readonly topic: TopicName }
  /** What numbers its messages; left out: the topic's table of the warehouse. */
  readonly table?: string
  /** @throws {ServiceError} *_NOT_FOUND, SOURCE_NOT_PUBLIC: the filter values name nothing that may be shown */
  check(key: Key): void
  /**
   * The messages of a commit in its order, the same in every process.
   * @param head_before place of the last row of the table before the commit
   */
  eventsOf(commit: C, head_before: number, wanted: Wanted): TopicEvent[]
  /** What is now, by place in the numbering. */
  statesOf(key: Key): TopicState[]
}
