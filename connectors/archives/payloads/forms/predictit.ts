import { easternMicros } from '../../../../pipelines/venues/predictit/eastern-time.ts'
import { PREDICTIT_ENDPOINTS } from '../../../../pipelines/venues/predictit/endpoints.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { isJsonObject, jsonDocument, jsonObject } from '../json-document.ts'
import type { DocumentForm } from '../payload-form.ts'

/**
 * A saved answer of PredictIt without an envelope: one market, or all of them. Its receipt is its latest `timeStamp`, which the
 * venue writes when it answers, in US Eastern time without a zone.
 */
export const PREDICTIT_RECORDING: DocumentForm = {
  kind: 'document',
  matches: (name) => name.endsWith('.json'),
  read: (text) => {
    const document = jsonObject(jsonDocument(text))
    const markets = Array.isArray(document.markets) ? document.markets : null
    if (markets === null && !Array.isArray(document.contracts)) throw new Quarantined('UNKNOWN_SHAPE')
    const endpoint = markets === null ? PREDICTIT_ENDPOINTS.market : PREDICTIT_ENDPOINTS.all
    const received_at = latestStamp(markets ?? [document])
    return { venue_id: 'predictit', endpoint, request: null, received_at, text }
  },
}

function latestStamp(markets: readonly unknown[]): Micros | null {
  const stamps = markets.flatMap((market) => {
    const stamp = isJsonObject(market) ? market.timeStamp : null
    const micros = typeof stamp === 'string' ? easternMicros(stamp, Number.POSITIVE_INFINITY) : null
    return micros === null ? [] : [micros]
  })
  return stamps.length === 0 ? null : Math.max(...stamps)
}
