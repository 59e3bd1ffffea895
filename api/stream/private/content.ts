import type { Micros } from '../../../primitives/instants.ts'
import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import type { ReachedStates } from '../../../trading/projections/order-at.ts'
import type { StreamView } from '../../../trading/store/read/stream-reads.ts'
import type { Head } from '../../../trading/store/read/trading-reads.ts'

/** What a message of an account says before it is addressed to subscriptions. */
export type Content = {
  readonly topic: PrivateTopicName
  readonly account_id: string
  /** null: of no market. */
  readonly market_id: string | null
  readonly kind: string
  /** Place of the event; of a snapshot: what it is as at. */
  readonly seq: number
  readonly engine_sequence: number
  readonly projection_version: number
  readonly at: Micros
  /** What tells it from the others of a snapshot. */
  readonly resource_id: string
  /** JSON of the REST resource. */
  readonly data: string
}

/** An event of an account with what its batch says. */
export type PlacedEngineEvent<K extends EngineEvent['kind'] = EngineEvent['kind']> = {
  readonly event: Extract<EngineEvent, { readonly kind: K; readonly account_id: string }>
  readonly batch_sequence: number
  readonly last_engine_sequence: number
}

/** A part of an account: everything, or what is of one market. */
export type Part = { readonly account_id: string; readonly market_id: string | null }

/** Where messages of one private topic come from. */
export type PrivateSource = {
  readonly topic: PrivateTopicName
  /** Kinds of engine events that are messages of it. */
  readonly event_kinds: readonly EngineEvent['kind'][]
  /** Whether what `ofEvents` reads must be of one state of the database. */
  readonly sees_one_state: boolean
  /** The most resources of a snapshot. */
  readonly snapshot_max: number
  /**
   * Messages of events, in their order; each says what was as at its event.
   * @param events of these kinds, at least one; whole batches from the first event on that `memory` has not seen
   */
  ofEvents(view: StreamView, events: readonly PlacedEngineEvent[], memory: ReachedStates): Promise<Content[]>
  /** What is, `limit` at most, oldest first. */
  ofSnapshot(view: StreamView, part: Part, limit: number, head: Head): Promise<Content[]>
}

/** The events of some kinds: a source is given no others. */
export function eventsOf<K extends EngineEvent['kind']>(
  events: readonly PlacedEngineEvent[],
  kind: K,
): readonly PlacedEngineEvent<K>[] {
  return events.filter(({ event }) => event.kind === kind) as unknown as readonly PlacedEngineEvent<K>[]
}
