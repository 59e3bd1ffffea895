import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { VenuePayload } from '../venues/record.ts'

/** SHA-256 of the payload's text (UTF-8), as lower-case hex: what other records name as their evidence. */
export function payloadContentHash(payload: VenuePayload): string {
  return sha256Hex(payload.text)
}

/** What names one row of `venue_payload` beside its content. The same content received at another instant is a further row. */
export type PayloadKey = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros
}

/** The key as one text; two payloads with equal keys are one. */
export function payloadKey(content_hash: string, { venue_id, endpoint, request, received_at }: PayloadKey): string {
  return `${content_hash}\u001f${venue_id}\u001f${endpoint}\u001f${request ?? ''}\u001f${received_at}`
}

/** A row of `venue_payload`. A payload is about the instant at which it was received. */
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
