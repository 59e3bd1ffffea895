import { easternMicros } from '../../../../pipelines/venues/predictit/eastern-time.ts'
import { PREDICTIT_ENDPOINTS } from '../../../../pipelines/venues/predictit/endpoints.ts'
import { latestOf, object, type Recogniser } from '../recogniser.ts'

const STAMP = /"timeStamp"\s*:\s*"([^"]+)"/g

/**
 * Answers of PredictIt: one market, or all of them. Their receipt is their latest `timeStamp`, which the venue writes when it
 * answers, in US Eastern time without a zone.
 */
export const PREDICTIT: Recogniser = {
  venue_id: 'predictit',
  endpoints: Object.values(PREDICTIT_ENDPOINTS),
  shapes: [
    {
      endpoint: PREDICTIT_ENDPOINTS.market,
      known_by: 'a list `contracts`',
      is: object(({ contracts }) => Array.isArray(contracts)),
    },
    {
      endpoint: PREDICTIT_ENDPOINTS.all,
      known_by: 'a list `markets`',
      is: object(({ markets }) => Array.isArray(markets)),
    },
  ],
  receipt: 'the latest `timeStamp` in it, US Eastern time',
  isStream: () => false,
  clockOf: (text) => latestOf(text, STAMP, (stamp) => easternMicros(stamp, Number.POSITIVE_INFINITY)),
  untimed: () => null,
}
