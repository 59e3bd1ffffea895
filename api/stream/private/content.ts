import type { Micros } from '../../../primitives/instants.ts'
import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import type { ReachedStates } from '../../../trading/projections/order-at.ts'
import type { StreamView } from '../../../trading/store/read/stream-reads.ts'
import type { Head } from '../../../trading/store/read/trading-reads.ts'

/** Content of a private message, before it is addressed to subscriptions. */
export type Content = {
  readonly topic: PrivateTopicName
  readonly account_id: string
  /** null: about no market. */
  readonly market_id: string | null
  readonly kind: string
  /** Seq of the event; for a snapshot, the seq of its state. */
  readonly seq: number
  readonly engine_sequence: number
  readonly projection_version: number
  readonly at: Micros
  /** Id that distinguishes the resources of a snapshot. */
  readonly resource_id: string
  /** JSON of the REST resource. */
  readonly data: string
}

/** An event of an account with the facts of its batch. */
export type PlacedEngineEvent<K extends EngineEvent['kind'] = EngineEvent['kind']> = {
  readonly event: Extract<EngineEvent, { readonly kind: K; readonly account_id: string }>
  readonly batch_sequence: number
  readonly last_engine_sequence: number
}

/** An account, or its records of one market. */
export type Part = { readonly account_id: string; readonly market_id: string | null }

/** Source of the messages of one private topic. */
export type PrivateSource = {
  readonly topic: PrivateTopicName
  /** Kinds of engine events that the topic publishes. */
  readonly event_kinds: readonly EngineEvent['kind'][]
  /** Whether `ofEvents` must read one state of the database. */
  readonly sees_one_state: boolean
  /** Most resources in a snapshot. */
  readonly snapshot_max: number
  /**
   * Returns the messages of events, in order; each shows the state as at its event.
   * @param events of these kinds, at least one; whole batches from the first event on that `memory` has not seen
   */
  ofEvents(view: StreamView, events: readonly PlacedEngineEvent[], memory: ReachedStates): Promise<Content[]>
  /** Returns the current resources, at most `limit`, oldest first. */
  ofSnapshot(view: StreamView, part: Part, limit: number, head: Head): Promise<Content[]>
}

/** Returns the events, narrowed to the kinds of a source; it receives no others. */
export function eventsOf<K extends EngineEvent['kind']>(
  events: readonly PlacedEngineEvent[],
  kind: K,
): readonly PlacedEngineEvent<K>[] {
  return events.filter(({ event }) => event.kind === kind) as unknown as readonly PlacedEngineEvent<K>[]
}
