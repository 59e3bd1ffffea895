import { idField, optionalIdField, optionalText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { type PayloadRecords, readItem } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { eventDetails } from './event-details.ts'
import { closingTime } from './market-definition.ts'
import { type Market, type Markets, type MarketTexts, marketOf, mergeTexts, runnerOf } from './market-memory.ts'
import { marketReference } from './market-reference.ts'
import { runnerLabel } from './runner-label.ts'

type Catalogue = {
  readonly id: string
  readonly texts: MarketTexts
  readonly closes_at: Market['closes_at']
  readonly runners: readonly { readonly label: string; readonly name: string | null }[]
}

/**
 * Reads a market's catalogue or a list of them: the names that the stream omits, and the rules. It has no time of its own, so
 * its receipt counts.
 */
export function readCatalogues(document: JsonText, payload: VenuePayload, out: PayloadRecords, markets: Markets): void {
  const is_list = Array.isArray(document)
  const catalogues = is_list ? listOf(document) : [document]
  catalogues.forEach((item, n) => {
    readItem(out, payload.file, is_list ? `$[${n}]` : '$', (origin) => {
      const catalogue = readCatalogue(objectOf(item))
      const market = marketOf(markets, catalogue.id)
      applyCatalogue(market, catalogue)
      out.references.push(marketReference(market, origin, payload.received_at, payload.received_at))
      return 'taken'
    })
  })
}

function readCatalogue(catalogue: JsonTextObject): Catalogue {
  const description = partOf(catalogue, 'description')
  const event = partOf(catalogue, 'event')
  return {
    id: idField(catalogue, 'marketId'),
    texts: {
      name: optionalText(catalogue, 'marketName'),
      market_type: optionalText(description, 'marketType'),
      event_id: optionalIdField(event, 'id'),
      event_name: optionalText(event, 'name'),
      category: optionalText(partOf(catalogue, 'eventType'), 'name'),
      rules: optionalText(description, 'rules'),
      details: eventDetails(event),
    },
    closes_at: closingTime(description, description.turnInPlayEnabled),
    runners: listOf(catalogue.runners).map((item) => {
      const runner = objectOf(item)
      return { label: runnerLabel(runner, 'selectionId', 'handicap'), name: optionalText(runner, 'runnerName') }
    }),
  }
}

function applyCatalogue(market: Market, { texts, closes_at, runners }: Catalogue): void {
  market.texts = mergeTexts(market.texts, texts)
  market.closes_at = market.terms === null ? closes_at : market.closes_at
  for (const { label, name } of runners) {
    const runner = runnerOf(market, label)
    runner.name = name ?? runner.name
  }
}

/** Returns a part of a catalogue; one that was not requested is absent. */
function partOf(catalogue: JsonTextObject, field: string): JsonTextObject {
  return objectOf(catalogue[field] ?? {})
}
