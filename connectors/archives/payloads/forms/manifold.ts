import { MANIFOLD_ENDPOINTS } from '../../../../pipelines/venues/manifold/endpoints.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { isJsonObject, jsonDocument } from '../json-document.ts'
import type { DocumentForm } from '../payload-form.ts'

/** Fields with the time of a past event, in epoch milliseconds. A close time is a plan. */
const PAST = /"(?:createdTime|lastUpdatedTime|lastBetTime|resolutionTime|timestamp|updatedTime)"\s*:\s*(\d{12,14})\b/g

/**
 * A saved answer of Manifold without an envelope; its shape shows which endpoint it is from. It does not state its receipt. The
 * latest event in it counts, or, if it names no time (a list of probabilities), the latest one of the files beside it: it
 * cannot have been received earlier.
 */
export const MANIFOLD_RECORDING: DocumentForm = {
  kind: 'document',
  matches: (name) => name.endsWith('.json'),
  read: (text) => {
    const endpoint = endpointOf(jsonDocument(text))
    if (endpoint === null) throw new Quarantined('UNKNOWN_SHAPE')
    return { venue_id: 'manifold', endpoint, request: null, received_at: latestInstant(text), text }
  },
  untimed: (_recorded, beside) =>
    beside.length === 0 ? null : Math.max(...beside.map(({ first_received_at }) => first_received_at)),
}

function endpointOf(document: unknown): string | null {
  if (Array.isArray(document)) {
    const first: unknown = document[0]
    if (!isJsonObject(first)) return null
    if ('contractId' in first) return MANIFOLD_ENDPOINTS.bets
    return 'question' in first ? MANIFOLD_ENDPOINTS.markets : null
  }
  if (!isJsonObject(document)) return null
  if ('question' in document) return MANIFOLD_ENDPOINTS.market
  const entries = Object.values(document)
  const are_probabilities = entries.every((entry) => isJsonObject(entry) && ('prob' in entry || 'answerProbs' in entry))
  return entries.length > 0 && are_probabilities ? MANIFOLD_ENDPOINTS.probs : null
}

function latestInstant(text: string): Micros | null {
  const instants = [...text.matchAll(PAST)].map(([, millis]) => Number(millis) * 1000)
  return instants.length === 0 ? null : Math.max(...instants)
}
