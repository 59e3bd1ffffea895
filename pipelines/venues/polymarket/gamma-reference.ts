import { type JsonObject, optionalIdField, optionalText, requiredText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { EventDetails, ReferenceRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { attempt, recordOf } from './reading.ts'
import type { Statement } from './resolution-log.ts'
import { readSchedule } from './times.ts'
import { isBinary } from './token-directory.ts'
import { readTrading } from './trading.ts'
import { readFlag } from './values.ts'

export type MarketStatus = ReferenceRecord['status']

/**
 * Returns a Gamma market's status. `active` stays true after closing and `acceptingOrders` may, so `closed` overrules both; a
 * market with a proposed or disputed resolution is resolving although it still trades. null if the source states none.
 */
export function statusOf(market: JsonTextObject, statement: Statement | null): MarketStatus {
  const closed = readFlag(market, 'closed')
  if (statement !== null) return statement.finality === 'final' ? 'resolved' : 'resolving'
  if (closed === true) return 'closed'
  if (readFlag(market, 'archived') === true) return 'archived'
  const active = readFlag(market, 'active')
  if (closed === null || active === null) return null
  if (!active) return 'scheduled'
  return readFlag(market, 'acceptingOrders') === false ? 'paused' : 'open'
}

/**
 * Returns a Gamma market and its event as of the read: the venue does not state when a status began, so source_at is
 * received_at. The close is `closedTime` once there is one, else the scheduled `endDate`. A market without an event is its own
 * event.
 */
export function gammaReference(
  reading: Reading,
  location: Location,
  { id, outcomes }: { readonly id: string; readonly outcomes: readonly string[] },
  { market, event }: { readonly market: JsonTextObject; readonly event: JsonTextObject | null },
  status: MarketStatus,
): ReferenceRecord {
  const [stated, around] = [market as JsonObject, (event ?? {}) as JsonObject]
  const title = requiredText(stated, 'question')
  const binary = isBinary(outcomes)
  const scheduled = readSchedule(market.endDate) ?? readSchedule(market.endDateIso)
  return {
    ...recordOf(reading, location, id, reading.payload.received_at),
    source_event_id: optionalIdField(around, 'id') ?? id,
    slug: optionalText(stated, 'slug'),
    event_slug: optionalText(around, 'slug'),
    title,
    event_title: optionalText(around, 'title') ?? title,
    description: optionalText(around, 'description'),
    category: optionalText(around, 'category') ?? optionalText(stated, 'category'),
    status,
    outcome_type: binary ? 'binary' : 'categorical',
    outcomes: binary ? ['YES', 'NO'] : outcomes,
    resolution_question: title,
    resolution_criteria: optionalText(stated, 'description'),
    source_url: optionalText(stated, 'resolutionSource'),
    trading: attempt(reading, location, () => readTrading(market.orderPriceMinTickSize, market.orderMinSize)),
    ...(event === null ? {} : { event_details: eventDetails(event) }),
    opens_at: readSchedule(market.startDate),
    closes_at: (readFlag(market, 'closed') === true ? readSchedule(market.closedTime) : null) ?? scheduled,
    expected_resolution_at: scheduled,
  }
}

/**
 * Returns the course of an event. `active` stays true after closing; `startDate` is when the event was listed, so an event
 * starts at its `startTime`, if it has one, as a match does. It ends at its `closedTime`, else on its scheduled `endDate`.
 */
function eventDetails(event: JsonTextObject): EventDetails {
  const closed = readFlag(event, 'closed')
  const is_active = readFlag(event, 'active') === true
  return {
    status: closed === true ? 'ended' : closed === false && is_active ? 'ongoing' : null,
    starts_at: readSchedule(event.startTime),
    ends_at: (closed === true ? readSchedule(event.closedTime) : null) ?? readSchedule(event.endDate),
    regions: null,
    timezone: null,
  }
}
