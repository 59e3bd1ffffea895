import { SIDES } from '../../../vocabulary/order.ts'
import { readId, readWord } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { TradeRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { Occurrences } from './occurrences.ts'
import { readRecord, recordOf } from './reading.ts'
import { readSeconds } from './times.ts'
import { fillId } from './trade-ids.ts'
import { rawPrice, readPositiveQuantity, readPrice } from './values.ts'

/**
 * Reads `GET /trades` of the Data API: a bare list (old) or `{data, pagination}` (2026). A price may be an average over levels
 * and off the grid. The wallet and names of each row are ignored. Paging has a limit on busy markets, so the history may be
 * partial.
 * @throws Quarantined UNKNOWN_SHAPE
 */
export function readDataTrades(reading: Reading, document: JsonText): void {
  const { rows, path } = rowsOf(document)
  const fills = new Occurrences()
  for (const [i, row] of rows.entries()) {
    readRecord(reading, `${path}[${i}]`, (location) => {
      reading.found.trades.push(readTrade(reading, location, objectOf(row), fills))
      return 'taken'
    })
  }
}

function rowsOf(document: JsonText): { readonly rows: readonly JsonText[]; readonly path: string } {
  if (Array.isArray(document)) return { rows: document as readonly JsonText[], path: '$' }
  const { data, price } = objectOf(document)
  if (data === undefined && price !== undefined) return { rows: [document], path: '$' }
  if (!Array.isArray(data)) throw new Quarantined('UNKNOWN_SHAPE')
  return { rows: data as readonly JsonText[], path: 'data' }
}

function readTrade(reading: Reading, location: Location, row: JsonTextObject, fills: Occurrences): TradeRecord {
  const transaction = readId(textOf(either(row, 'transactionHash', 'transaction_hash')))
  const token = reading.memory.tokens.find(
    either(row, 'asset', 'token_id'),
    either(row, 'conditionId', 'condition_id') ?? null,
  )
  const price = readPrice(row.price)
  const quantity = readPositiveQuantity(row.size)
  const side = readSide(row.side)
  const common = recordOf(reading, location, token.source_market_id, readSeconds(row.timestamp))
  return {
    ...common,
    outcome: token.outcome,
    price,
    ...rawPrice(row.price, price),
    quantity,
    aggressor_side: showsMakers(reading.payload.request) ? null : side,
    source_trade_id: fillId([transaction, token.token_id, side ?? '', price, quantity], fills),
    source_sequence: null,
    correction_kind: null,
  }
}

/** Reads BUY or SELL of the account in the row; null if not stated. */
export function readSide(value: JsonText | undefined): TradeRecord['aggressor_side'] {
  const text = value ?? ''
  return text === '' ? null : readWord(textOf(text), SIDES)
}

/** Returns whether the request asked for makers too: by default rows are the takers', with makers the side is unknown. */
function showsMakers(request: string | null): boolean {
  return request !== null && /[?&]takerOnly=false(&|$)/.test(request)
}

/** Reads a field that the old and the new shape name differently. */
function either(row: JsonTextObject, old_name: string, new_name: string): JsonText | undefined {
  const [a, b] = [row[old_name] ?? undefined, row[new_name] ?? undefined]
  if (a !== undefined && b !== undefined && a !== b) throw new Quarantined('FIELDS_DISAGREE')
  return a ?? b
}

function textOf(value: JsonText | undefined): string {
  if (value === undefined || value === null) throw new Quarantined('MISSING_FIELD')
  if (typeof value !== 'string') throw new Quarantined('BAD_TEXT')
  return value
}
