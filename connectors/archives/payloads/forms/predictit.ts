import { easternMicros } from '../../../../pipelines/venues/predictit/eastern-time.ts'
import { PREDICTIT_ENDPOINTS } from '../../../../pipelines/venues/predictit/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

const STAMP = /"timeStamp"\s*:\s*"([^"]+)"/g

/**
 * Answers of PredictIt: one market, or all of them. Their receipt is their latest `timeStamp`, which the venue writes when it
 * answers, in US Eastern time without a zone.
 */
export const PREDICTIT: Recogniser = {
  venue_id: 'predictit',
  endpoints: Object.values(PREDICTIT_ENDPOINTS),
  endpointOf: (value) => {
    if (!isJsonObject(value)) return null
    if (Array.isArray(value.contracts)) return PREDICTIT_ENDPOINTS.market
    return Array.isArray(value.markets) ? PREDICTIT_ENDPOINTS.all : null
  },
  isStream: () => false,
  clockOf: (text) => latestOf(text, STAMP, (stamp) => easternMicros(stamp, Number.POSITIVE_INFINITY)),
  untimed: () => null,
}
