import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { QuoteRecord } from '../record.ts'
import { attempt, type Place, type Reading, recordOf } from './reading.ts'
import { readSeconds } from './times.ts'
import type { TokenOutcome } from './token-directory.ts'
import { numberText, readPrice } from './values.ts'

/**
 * `GET /prices-history?market=TOKEN`: midpoints of one token, by seconds of their own that lie some seconds after the hour.
 * The answer names no token, so the request must. An empty history is one. A midpoint is never a payout (P15).
 * @throws Quarantined
 */
export function readPricesHistory(reading: Reading, document: JsonText): void {
  const { history } = objectOf(document)
  if (history === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  const points = listOf(history)
  const token = reading.memory.tokens.find(tokenAskedFor(reading.payload.request), null)
  for (const [i, point] of points.entries()) {
    const place = { line: i + 1, path: `history[${i}]` }
    const quote = attempt(reading, place, () => readPoint(reading, place, point, token))
    if (quote !== null) reading.found.quotes.push(quote)
  }
}

function tokenAskedFor(request: string | null): string | undefined {
  const query = request?.split('?')[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get('market') ?? undefined)
}

function readPoint(reading: Reading, place: Place, item: JsonText, token: TokenOutcome): QuoteRecord {
  const { t, p } = objectOf(item)
  const reported_probability = readPrice(p)
  return {
    ...recordOf(reading, place, token.source_market_id, readSeconds(t)),
    outcome: token.outcome,
    reported_probability,
    raw_value: numberText(p),
    is_final: false,
    text: '',
    book: null,
  }
}
