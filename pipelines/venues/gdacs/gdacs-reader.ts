import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, payloadReader, readItem } from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { GDACS_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { hazardOfItem } from './item.ts'

/**
 * Parser options: every value stays text. An element with attributes becomes an object of `@name` and `#text`, a repeated one a
 * list. Links to further reading, most of a feed, are skipped.
 */
const OPTIONS = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 20,
  processEntities: { enabled: true, maxEntityCount: 0, maxTotalExpansions: 100_000, maxExpandedLength: 1_000_000 },
  stopNodes: ['rss.channel.item.gdacs:resources'],
}

/**
 * Parses an XML document to a tree of texts. A byte-order mark is dropped. A document type is rejected: no feed has one, and
 * without it there are no entities to expand but the five of XML and characters by number.
 * @throws Quarantined UNKNOWN_SHAPE for text that is not well-formed XML
 */
function parseXml(text: string): JsonText {
  const document = text.replace(/^\uFEFF/, '')
  if (/<!DOCTYPE/i.test(document) || XMLValidator.validate(document) !== true) throw new Quarantined('UNKNOWN_SHAPE')
  try {
    return new XMLParser(OPTIONS).parse(document) as JsonText
  } catch {
    throw new Quarantined('UNKNOWN_SHAPE')
  }
}

/**
 * Creates a reader of GDACS's RSS feeds. The feeds have different windows: an event that a later one omits has not ended.
 * @param now the wall clock
 */
export function createGdacsReader(now: Micros): VenueReader {
  const readPayload = payloadReader(now)
  return {
    read: (payload) =>
      readPayload(payload, (out) => {
        if (payload.endpoint !== ENDPOINTS.rss) throw new Quarantined('UNKNOWN_SHAPE')
        readFeed(parseXml(payload.text), payload, out)
      }),
  }
}

function readFeed(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  const channel = objectOf(objectOf(objectOf(document).rss).channel)
  const items = channel.item
  const list = items === undefined || Array.isArray(items) ? listOf(items) : [items]
  list.forEach((item, n) => {
    readItem(out, payload.file, `item[${n}]`, (origin) => {
      out.hazards.push(hazardOfItem(objectOf(item), origin, payload.received_at))
      return 'taken'
    })
  })
}
