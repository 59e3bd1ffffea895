import type { Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../engine/events.ts'
import type { EventRow } from '../projections/rows.ts'

/** An event with the stamp of its batch. */
export type TailedEvent = EventRow & { readonly at: Micros }

/** Decodes an event from its row. */
export function decodeEvent({ engine_sequence, at, kind, body }: TailedEvent): EngineEvent {
  return { engine_sequence, at, kind, ...(body as object) } as EngineEvent
}
