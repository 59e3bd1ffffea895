import { idField, requiredText } from '../../text/json-fields.ts'
import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readGroup, readItem, readPart } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import { isZero } from '../zero-values.ts'
import { BEST_PRICES, contractQuotes } from './contract-quotes.ts'
import { contractReference } from './contract-reference.ts'
import { easternMicros } from './eastern-time.ts'

const AHEAD = CLOCK_AHEAD_MAX.predictit

/** Reads `GET /api/marketdata/markets/{id}`: one market with its contracts. */
export function readMarket(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  readContracts(document, '', payload, out)
}

/** Reads `GET /api/marketdata/all/`: every open market, `{markets}`. */
export function readAll(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  const { markets } = objectOf(document)
  if (!Array.isArray(markets)) throw new Quarantined('UNKNOWN_SHAPE')
  markets.forEach((market: JsonText, n) => {
    const path = `markets[${n}]`
    readGroup(out, payload.file, path, 'NO_RECORDS', () => readContracts(market, `${path}.`, payload, out))
  })
}

function readContracts(document: JsonText, path_before: string, payload: VenuePayload, out: PayloadRecords): void {
  const market_fields = objectOf(document)
  const { file, received_at } = payload
  const market = {
    market_id: idField(market_fields, 'id'),
    market_fields,
    source_at: sourceTime(
      easternMicros(requiredText(market_fields, 'timeStamp'), received_at + AHEAD),
      received_at,
      AHEAD,
    ),
    received_at,
  }
  if (market_fields.contracts === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  listOf(market_fields.contracts).forEach((value, n) => {
    readItem(out, file, `${path_before}contracts[${n}]`, (origin) => {
      const fields = objectOf(value)
      const contract = { ...market, origin, id: idField(fields, 'id'), fields }
      readPart(out, origin, () => out.references.push(contractReference(contract)))
      readPart(out, origin, () => out.quotes.push(...contractQuotes(contract)))
      const zeros = BEST_PRICES.filter((field) => isZero(fields[field]))
      out.zeros.push(...zeros.map(() => ({ file, line: origin.line, is_missing: true })))
      return 'taken'
    })
  })
}
