import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readPart, readPayload } from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { GDACS_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { hazardOfItem } from './item.ts'
import { parseXml } from './parse-xml.ts'

/**
 * Reads the RSS feeds of GDACS. The feeds have different windows: an event that a later one leaves out has not ended.
 * @param now the wall clock
 */
export function createGdacsReader(now: Micros): VenueReader {
  return {
    read: (payload) =>
      readPayload(payload, now, (out) => {
        if (payload.endpoint !== ENDPOINTS.rss) throw new Quarantined('UNKNOWN_SHAPE')
        readFeed(parseXml(payload.text), payload, out)
      }),
  }
}

function readFeed(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  const channel = objectOf(objectOf(objectOf(document).rss).channel)
  const items = channel.item
  const list = items === undefined || Array.isArray(items) ? listOf(items) : [items]
  list.forEach((item, place) => {
    const origin = { file: payload.file, line: place + 1, path: `item[${place}]` }
    readPart(out, origin, () => out.hazards.push(hazardOfItem(objectOf(item), origin, payload.received_at)))
  })
}
