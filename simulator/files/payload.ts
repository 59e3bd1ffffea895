import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { VenueId } from '../world/options.ts'

/** A response or message as a recorder of a venue kept it. */
export type RecordedPayload = {
  readonly venue_id: VenueId
  readonly endpoint: string
  /** Path and query asked for; null for a message that was pushed. */
  readonly request: string | null
  readonly received_at: Micros
  readonly body: string
}

/** One line of a payload file, with its line end. */
export function payloadLine({ venue_id, endpoint, request, received_at, body }: RecordedPayload): string {
  return (
    `{"venue_id":"${venue_id}","endpoint":${JSON.stringify(endpoint)},"request":${JSON.stringify(request)},` +
    `"received_at":"${instantText(received_at)}","body":${JSON.stringify(body)}}\n`
  )
}

let last_second = -1
let last_text = ''

/** The canonical text of an instant. Payloads come in time order, so most are of the second of the one before. */
function instantText(micros: Micros): string {
  const rest = micros % MICROS_PER_SECOND
  const second = micros - rest
  if (second !== last_second) {
    last_second = second
    last_text = formatMicros(second).slice(0, -1)
  }
  if (rest === 0) return `${last_text}Z`
  const digits = String(rest).padStart(6, '0')
  return `${last_text}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}
