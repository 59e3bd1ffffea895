import type { Micros } from '../../../primitives/instants.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { Quarantined } from '../quarantine.ts'
import { payloadReader } from '../read-payload.ts'
import type { VenueReader } from '../record.ts'
import { PREDICTIT_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { readAll, readMarket } from './market.ts'

const READS = new Map([
  [ENDPOINTS.market as string, readMarket],
  [ENDPOINTS.all as string, readAll],
])

/**
 * Creates a reader of PredictIt's market data. The venue shows best prices only: no depth, volume, trades or resolutions.
 * @param now the wall clock
 */
export function createPredictitReader(now: Micros): VenueReader {
  const readPayload = payloadReader(now)
  return {
    read: (payload) =>
      readPayload(payload, (out) => {
        const read = READS.get(payload.endpoint)
        if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
        read(parseJsonText(payload.text), payload, out)
      }),
  }
}
