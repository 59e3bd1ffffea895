import type { Micros } from '../../../primitives/instants.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { type JsonText, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, payloadReader, readItem } from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { USGS_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { hazardOfFeature } from './feature.ts'

/**
 * Creates a reader of the US Geological Survey's GeoJSON summary feeds.
 * @param now the wall clock
 */
export function createUsgsReader(now: Micros): VenueReader {
  const readPayload = payloadReader(now)
  return {
    read: (payload) =>
      readPayload(payload, (out) => {
        if (payload.endpoint !== ENDPOINTS.summary) throw new Quarantined('UNKNOWN_SHAPE')
        readSummary(parseJsonText(payload.text), payload, out)
      }),
  }
}

function readSummary(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  featuresOf(document).forEach((feature, n) => {
    readItem(out, payload.file, `features[${n}]`, (origin) => {
      out.hazards.push(hazardOfFeature(objectOf(feature), origin, payload.received_at))
      return 'taken'
    })
  })
}

/** Returns the features of a feed, or those that a recorder keeps alone. @throws Quarantined UNKNOWN_SHAPE */
function featuresOf(document: JsonText): readonly JsonText[] {
  if (Array.isArray(document) && document.length > 0) return document as readonly JsonText[]
  const { features, properties } = objectOf(document)
  if (Array.isArray(features)) return features as readonly JsonText[]
  if (properties === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  return [document]
}
