import { toMicros } from '../../primitives/instants.ts'
import { PAYLOADS } from '../../protocol/limits.ts'
import type { ObservationPayloads } from '../../protocol/resources/observation-payloads.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { fieldsOf } from '../resources/pick.ts'
import { pricesArePublic, tradesArePublic } from '../resources/venue.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { presentAt } from './history-request.ts'
import { requirePublic } from './market-prices.ts'
import { requiredText, textParameter } from './parameters.ts'

/**
 * Answers with the payloads that a record was read from. A payload may hold all that its venue sent, so the terms of the venue must
 * permit prices and single trades.
 * @throws {ServiceError} OBSERVATION_NOT_FOUND, SOURCE_NOT_PUBLIC
 */
export async function getObservationPayloads(request: RouteRequest): Promise<RouteAnswer> {
  const observation_id = requiredText(request, 'observation_id')
  const content_hash = textParameter(request, 'content_hash')
  const { history } = request.reader
  const record = await history.received(observation_id, presentAt(request, 'market_quote'))
  if (record === null) throw missing('received_observation', observation_id)
  const venue_id = String(record.venue_id)
  const venue: Row = { venue_mapping: { venue_id } }
  requirePublic(venue, pricesArePublic, 'payloads')
  requirePublic(venue, tradesArePublic, 'payloads')
  const received_at = toMicros(record.received_at)
  const rows = await history.payloads({ venue_id, received_at, content_hash })
  if (content_hash !== null && rows.length === 0) throw missing('payload', content_hash)
  return { data: payloadsOf(observation_id, record, rows) }
}

/** Converts a stored payload, whose columns are those of the resource. */
const shownRow = (row: Row) => ({ ...row, byte_count: Number(row.byte_count) })

function payloadsOf(observation_id: string, record: Row, rows: readonly Row[]): ObservationPayloads {
  const shown = rows.slice(0, PAYLOADS.listed_max)
  return {
    observation_id,
    ...fieldsOf(record, ['market_id', 'venue_id', 'received_at']),
    payloads: shown.map(shownRow),
    payloads_omitted: rows.length - shown.length,
  } as unknown as ObservationPayloads
}
