import { parseJsonText } from '../../pipelines/text/json-scan.ts'
import type { JsonText } from '../../pipelines/text/json-text.ts'
import { parseRecord } from '../../pipelines/venues/quarantine.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../http/venue-http-client.ts'

/** What one request gave, beside the payloads. */
export type Fetched =
  | { readonly kind: 'read'; readonly document: JsonText }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }

/** Requests for one JSON document, the first counted. */
const READS_MAX = 3

/**
 * Asks for one JSON document. Every answer is given out, also one that is no JSON: it is evidence, and its reader
 * quarantines it. Such a one is asked for again, because an answer that was cut is whole the next time.
 */
export async function* fetchDocument(
  client: VenueHttpClient,
  endpoint: string,
  request: string,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem, Fetched> {
  for (let read = 1; read <= READS_MAX; read += 1) {
    const item = await client.get(endpoint, request, signal)
    if (item === null) return { kind: 'none' }
    yield item
    const parsed = 'payload' in item ? parseRecord(() => parseJsonText(item.payload.text)) : null
    if (parsed !== null && 'record' in parsed) return { kind: 'read', document: parsed.record }
  }
  return { kind: 'unreadable' }
}
