import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { VenuePayload } from '../venues/record.ts'

/** Returns the SHA-256 of the payload's text (UTF-8) as lower-case hex, by which other records name it as evidence. */
export function payloadContentHash(payload: VenuePayload): string {
  return sha256Hex(payload.text)
}

/** Identity of a row of `venue_payload` beside its content. Equal content received at another instant is another row. */
export type PayloadKey = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros
}

/** Returns the key as one text; payloads with equal keys are one. */
export function payloadKey(content_hash: string, { venue_id, endpoint, request, received_at }: PayloadKey): string {
  return `${content_hash}\u001f${venue_id}\u001f${endpoint}\u001f${request ?? ''}\u001f${received_at}`
}

/** Returns a row of `venue_payload`. A payload is about the instant of its receipt. */
export function payloadRow(payload: VenuePayload, content_hash: string) {
  return {
    content_hash,
    venue_id: payload.venue_id,
    endpoint: payload.endpoint,
    request: payload.request,
    file: payload.file,
    byte_count: Buffer.byteLength(payload.text),
    body: payload.text,
    source_at: payload.received_at,
    received_at: payload.received_at,
  }
}
