import { MANIFOLD_ENDPOINTS } from '../../../../pipelines/venues/manifold/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

/** Fields with the time of a past event, in epoch milliseconds. A close time is a plan. */
const PAST = /"(?:createdTime|lastUpdatedTime|lastBetTime|resolutionTime|timestamp|updatedTime)"\s*:\s*(\d{12,14})\b/g

/**
 * Answers of Manifold and messages of its websocket, by their fields. They do not state their receipt. The latest event in them
 * counts, or, if they name no time (a list of probabilities), the latest one of the files beside them.
 */
export const MANIFOLD: Recogniser = {
  venue_id: 'manifold',
  endpoints: Object.values(MANIFOLD_ENDPOINTS),
  endpointOf,
  isStream: (endpoint) => endpoint === MANIFOLD_ENDPOINTS.ws_global_bets,
  clockOf: (text) => latestOf(text, PAST, (millis) => Number(millis) * 1000),
}

function endpointOf(document: unknown): string | null {
  if (Array.isArray(document)) {
    const first: unknown = document[0]
    if (!isJsonObject(first)) return null
    if (isBet(first)) return MANIFOLD_ENDPOINTS.bets
    if (first.type === 'broadcast') return MANIFOLD_ENDPOINTS.ws_global_bets
    return 'question' in first ? MANIFOLD_ENDPOINTS.markets : null
  }
  if (!isJsonObject(document)) return null
  if (isBet(document)) return MANIFOLD_ENDPOINTS.bets
  if ('question' in document) return MANIFOLD_ENDPOINTS.market
  if (document.type === 'broadcast' || document.type === 'ack') return MANIFOLD_ENDPOINTS.ws_global_bets
  const entries = Object.values(document)
  const are_probabilities = entries.every((entry) => isJsonObject(entry) && ('prob' in entry || 'answerProbs' in entry))
  return entries.length > 0 && are_probabilities ? MANIFOLD_ENDPOINTS.probs : null
}

/** A comment has a `contractId` too. */
function isBet(value: Readonly<Record<string, unknown>>): boolean {
  return 'contractId' in value && ('probAfter' in value || 'outcome' in value)
}
