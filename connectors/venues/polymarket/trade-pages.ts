import { type JsonText, listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { readSeconds } from '../../../pipelines/venues/polymarket/times.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { nextOffset } from '../fetch-pages.ts'

/** The Data API pages no further. */
const TRADE_OFFSET_MAX = 10_000

/** The next page of the tape, newest first: none where it ends, where all of a page is older than `from`, or where the offset ends. */
export function nextTrades(body: JsonText, request: string, from: Micros): Readonly<Record<string, string>> | null {
  const trades = tradesOf(body)
  const newest = Math.max(...trades.map(timeOf), Number.NEGATIVE_INFINITY)
  const has_more = Array.isArray(body) || objectOf(objectOf(body).pagination).has_more === true
  if (!has_more || newest < from) return null
  const next = nextOffset(request, Array.isArray(body) ? trades.length : Number.POSITIVE_INFINITY)
  return next === null || Number(next.offset) > TRADE_OFFSET_MAX ? null : next
}

/** When the trades of a page were made, to the second, both inclusive. */
export type TimeSpan = { readonly oldest: Micros; readonly newest: Micros }

/** null: the page has none, or one whose time cannot be read. @throws Quarantined */
export function tradesSpan(body: JsonText): TimeSpan | null {
  const times = tradesOf(body).map(timeOf)
  if (times.length === 0 || times.includes(Number.POSITIVE_INFINITY)) return null
  return { oldest: Math.min(...times), newest: Math.max(...times) }
}

/** The older form is a bare list. */
function tradesOf(body: JsonText): readonly JsonText[] {
  return listOf(Array.isArray(body) ? body : objectOf(body).data)
}

/** A trade whose time cannot be read does not end the list. */
function timeOf(trade: JsonText): number {
  const parsed = parseRecord(() => readSeconds(objectOf(trade).timestamp))
  return 'record' in parsed ? parsed.record : Number.POSITIVE_INFINITY
}
