import type { Micros } from '../../../primitives/instants.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord } from '../quarantine.ts'
import { payloadHash, readItem, readPart } from '../read-payload.ts'
import type { Evidence, Origin } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import { VENUE_ID } from './endpoints.ts'
import type { Location, Reading } from './memory.ts'
import { readMillis } from './times.ts'

/** Reads one record of the payload and counts its outcome. */
export function readRecord(reading: Reading, path: string, read: (location: Location) => Outcome): void {
  readItem(reading.found, reading.payload.file, path, read)
}

/** Runs the reader of one part of a record; a rejected part is quarantined at its location, and the result is null. */
export function attempt<T>(reading: Reading, location: Location, read: () => T): T | null {
  const parsed = readPart(reading.found, originOf(reading, location), read)
  return 'record' in parsed ? parsed.record : null
}

function originOf(reading: Reading, location: Location): Origin {
  return { file: reading.payload.file, line: location.line, path: location.path }
}

/** Returns the fields that all records about a market share. @throws Quarantined BAD_DATE, SOURCE_AFTER_RECEIVED */
export function recordOf({ payload }: Reading, location: Location, source_market_id: string, source_at: Micros) {
  const { file, received_at } = payload
  return recordAt(
    file,
    location,
    source_market_id,
    sourceTime(source_at, received_at, CLOCK_AHEAD_MAX.polymarket),
    received_at,
  )
}

/** Returns the same fields for instants that have been checked. */
export function recordAt(
  file: string,
  { line, path }: Location,
  source_market_id: string,
  source_at: Micros,
  received_at: Micros,
) {
  return { file, line, path, venue_id: VENUE_ID, source_series_id: null, source_market_id, source_at, received_at }
}

/** Returns the payload as evidence of its statements. */
export function evidenceOf({ payload }: Reading, evidence_id: string): Evidence {
  return { evidence_id, kind: 'archive_row', source_uri: null, content_hash: payloadHash(payload) }
}

/** Returns the instant from which a book lacks an unusable message: the message's own, if it states one. */
export function lostAt({ payload }: Reading, message: JsonTextObject): Micros {
  const parsed = parseRecord(() => readMillis(message.timestamp))
  return Math.min('record' in parsed ? parsed.record : payload.received_at, payload.received_at)
}
