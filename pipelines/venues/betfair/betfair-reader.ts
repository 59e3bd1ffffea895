import type { Micros } from '../../../primitives/instants.ts'
import { LastOfMinute } from '../../market/last-of-minute.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { Quarantined } from '../quarantine.ts'
import { afterEnded, endedMinutes, payloadReader } from '../read-payload.ts'
import type { VenueReader } from '../record.ts'
import { readCatalogues } from './catalogue.ts'
import { BETFAIR_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { addRecords, forgetAllBooks, readStreamMessage, type StreamMemory } from './stream.ts'

/**
 * Creates a reader of Betfair's market stream, one message per payload, and market catalogues. Books are rebuilt from the
 * stream's images and changes and recorded in decimal odds, once a minute; sizes are pounds of stake. See market-minute.ts for
 * probabilities, market-settlement.ts for payouts, ladder-change.ts for the sides.
 * @param now the wall clock
 */
export function createBetfairReader(now: Micros): Required<VenueReader> {
  const readPayload = payloadReader(now)
  const memory: StreamMemory = { markets: new Map(), moments: new LastOfMinute() }
  return {
    read: (payload) => {
      const ended = endedMinutes(memory.moments.endOver(payload.received_at), addRecords)
      const records = readPayload(payload, (out) => {
        if (payload.endpoint === ENDPOINTS.stream) {
          readStreamMessage(parseJsonText(payload.text), payload, out, memory)
        } else if (payload.endpoint === ENDPOINTS.catalogue) {
          readCatalogues(parseJsonText(payload.text), payload, out, memory.markets)
        } else {
          throw new Quarantined('UNKNOWN_SHAPE')
        }
      })
      const is_lost = records.quarantine?.some(({ path }) => path === '$') === true
      if (is_lost && payload.endpoint === ENDPOINTS.stream) forgetAllBooks(memory)
      return afterEnded(ended, records)
    },
    finish: () => endedMinutes(memory.moments.finish(), addRecords) ?? {},
  }
}
