import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { optionalText, requiredText, textOrNotAvailable } from '../../text/json-fields.ts'
import { Quarantined } from '../quarantine.ts'
import type { ReferenceRecord } from '../record.ts'
import { scheduleTime } from '../source-times.ts'
import type { PredictitContract } from './contract.ts'
import { easternMicros } from './eastern-time.ts'

const STATUSES = new Map([
  ['Open', 'open'],
  ['Suspended', 'paused'],
  ['Closed', 'closed'],
] as const)

/**
 * Returns a contract's description. It closes at `dateEnd` (Eastern, "N/A" is none), never at `timeStamp`, which is the time of
 * the prices.
 * @throws Quarantined MISSING_FIELD, BAD_TEXT, BAD_FLAG
 */
export function contractReference(contract: PredictitContract): ReferenceRecord {
  const { origin, id, fields, market_id, market_fields, source_at, received_at } = contract
  const event_title = requiredText(market_fields, 'name')
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'predictit',
    source_series_id: null,
    source_event_id: market_id,
    source_market_id: id,
    source_at,
    received_at,
    title: requiredText(fields, 'name'),
    event_title,
    description: null,
    category: null,
    status: statusOf(requiredText(fields, 'status')),
    outcome_type: 'binary',
    outcomes: BINARY_OUTCOMES,
    resolution_question: event_title,
    resolution_criteria: null,
    source_url: optionalText(market_fields, 'url'),
    trading: null,
    opens_at: null,
    closes_at: easternSchedule(textOrNotAvailable(fields, 'dateEnd')),
    expected_resolution_at: null,
  }
}

function statusOf(text: string) {
  const status = [...STATUSES].find(([word]) => word === text)?.[1]
  if (status === undefined) throw new Quarantined('BAD_FLAG')
  return status
}

function easternSchedule(text: string | null) {
  return text === null ? null : scheduleTime(easternMicros(text, Number.POSITIVE_INFINITY))
}
