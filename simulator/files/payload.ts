import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { VenueId } from '../world/options.ts'

/** A response or message as recorded from a venue. */
export type RecordedPayload = {
  readonly venue_id: VenueId
  readonly endpoint: string
  /** Path and query of the request; null for a pushed message. */
  readonly request: string | null
  readonly received_at: Micros
  readonly body: string
}

/** Creates a function that returns one line of a payload file, with its line end. */
export function createPayloadLines(): (payload: RecordedPayload) => string {
  const instantText = createInstantText()
  return ({ venue_id, endpoint, request, received_at, body }) =>
    `{"venue_id":"${venue_id}","endpoint":${JSON.stringify(endpoint)},"request":${JSON.stringify(request)},` +
    `"received_at":"${instantText(received_at)}","body":${JSON.stringify(body)}}\n`
}

/** Formats instants, keeping the text of the last second: payloads come in time order, so most share it with their predecessor. */
function createInstantText(): (micros: Micros) => string {
  let last_second = -1
  let last_text = ''
  return (micros) => {
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
}
