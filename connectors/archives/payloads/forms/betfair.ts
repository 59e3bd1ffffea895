import { BETFAIR_ENDPOINTS } from '../../../../pipelines/venues/betfair/endpoints.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import { isJsonObject, jsonDocument } from '../json-document.ts'
import type { DocumentForm, LineForm } from '../payload-form.ts'

/** The publish time of a stream message, in epoch milliseconds. */
const PUBLISHED = /"pt"\s*:\s*(\d{12,14})\b/

/** A recorded market stream: one message per line. The publish time is the only time it has, so it counts as the receipt. */
export const BETFAIR_STREAM: LineForm = {
  kind: 'lines',
  matches: (name) => name.endsWith('.jsonl') && !name.endsWith('.payloads.jsonl'),
  read: (line) => {
    const millis = PUBLISHED.exec(line)?.[1]
    if (millis === undefined || !line.startsWith('{')) throw new Quarantined('UNKNOWN_SHAPE')
    const received_at = Number(millis) * 1000
    return { venue_id: 'betfair', endpoint: BETFAIR_ENDPOINTS.stream, request: null, received_at, text: line }
  },
}

/**
 * A saved market catalogue, or a list of them. It has no time of its own. It is requested before a market's stream is followed,
 * so the start of that market's recorded stream, whose file is named after the market, counts as its receipt.
 */
export const BETFAIR_CATALOGUE: DocumentForm = {
  kind: 'document',
  matches: (name) => name.endsWith('.json'),
  read: (text) => {
    const document = jsonDocument(text)
    const first: unknown = Array.isArray(document) ? document[0] : document
    const market_id = isJsonObject(first) ? first.marketId : null
    if (typeof market_id !== 'string') throw new Quarantined('UNKNOWN_SHAPE')
    const endpoint = BETFAIR_ENDPOINTS.catalogue
    return { venue_id: 'betfair', endpoint, request: null, received_at: null, text, about: market_id }
  },
  untimed: ({ about }, beside) => {
    const streams = beside.filter(
      ({ name }) => about !== undefined && /\.jsonl(\.gz)?$/.test(name) && name.includes(about),
    )
    return streams.length === 0 ? null : Math.min(...streams.map(({ first_received_at }) => first_received_at))
  },
}
