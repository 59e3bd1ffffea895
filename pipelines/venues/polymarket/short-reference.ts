import type { Micros } from '../../../primitives/instants.ts'
import { type JsonObject, optionalIdField, optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { ReferenceRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { attempt, recordOf } from './reading.ts'
import { isBinary } from './token-directory.ts'
import { readTrading } from './trading.ts'

/** A market as CLOB or a websocket message describes it, which is less than Gamma says. */
export type ShortDescription = {
  readonly id: string
  readonly title: string
  readonly outcomes: readonly string[]
  readonly criteria: string | null
  /** The message's `event_message`; null: the source names no event. */
  readonly event: JsonTextObject | null
  readonly status: ReferenceRecord['status']
  readonly closes_at: Micros | null
  readonly tick: JsonTextObject[string]
  readonly minimum: JsonTextObject[string]
  readonly source_at: Micros
}

/**
 * Returns the reference of a market that Gamma has not described. Without an event the market is its own; what Gamma said in an
 * earlier import stays (`is_partial`).
 */
export function shortReference(reading: Reading, location: Location, stated: ShortDescription): ReferenceRecord {
  const { id, title, outcomes, criteria, status, closes_at } = stated
  const event = (stated.event ?? {}) as JsonObject
  const binary = isBinary(outcomes)
  return {
    ...recordOf(reading, location, id, stated.source_at),
    source_event_id: optionalIdField(event, 'id') ?? id,
    title,
    event_title: optionalText(event, 'title') ?? title,
    description: optionalText(event, 'description'),
    category: null,
    status,
    outcome_type: binary ? 'binary' : 'categorical',
    outcomes: binary ? ['YES', 'NO'] : outcomes,
    resolution_question: title,
    resolution_criteria: criteria,
    source_url: null,
    trading: attempt(reading, location, () => readTrading(stated.tick, stated.minimum)),
    is_partial: true,
    opens_at: null,
    closes_at,
    expected_resolution_at: closes_at,
  }
}
