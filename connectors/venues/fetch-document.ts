import { parseJsonText } from '../../pipelines/text/json-scan.ts'
import type { JsonText } from '../../pipelines/text/json-text.ts'
import { parseRecord } from '../../pipelines/venues/quarantine.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../http/venue-http-client.ts'

/** Result of one request, beside its payloads. */
export type Fetched =
  | { readonly kind: 'read'; readonly document: JsonText }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }

/** Requests for one JSON document, including the first. */
const READS_MAX = 3

/**
 * Requests one JSON document. Every answer is yielded, also one that is not JSON: it is evidence, and its reader quarantines
 * it. It is then requested again, because an answer that was cut is usually complete the next time.
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
