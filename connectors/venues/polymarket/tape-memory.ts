import { type JsonText, listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { ENDPOINTS } from '../../../pipelines/venues/polymarket/endpoints.ts'
import { readSeconds } from '../../../pipelines/venues/polymarket/times.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../../http/venue-http-client.ts'
import { fetchPages, nextOffset } from '../fetch-pages.ts'
import type { ReadRange } from '../venue-connector.ts'

/** Largest offset that the Data API accepts. */
const TRADE_OFFSET_MAX = 10_000

/**
 * Returns the parameters of the next page of the tape, newest first: null at its end, after a page older than `from`, or at the
 * largest offset.
 */
function nextTrades(body: JsonText, request: string, from: Micros): Readonly<Record<string, string>> | null {
  const trades = tradesOf(body)
  const newest = Math.max(...trades.map(timeOf), Number.NEGATIVE_INFINITY)
  const has_more = Array.isArray(body) || objectOf(objectOf(body).pagination).has_more === true
  if (!has_more || newest < from) return null
  const next = nextOffset(request, Array.isArray(body) ? trades.length : Number.POSITIVE_INFINITY)
  return next === null || Number(next.offset) > TRADE_OFFSET_MAX ? null : next
}

/** Oldest and newest trade of a page, to the second, both inclusive. */
type TimeSpan = { readonly oldest: Micros; readonly newest: Micros }

/** Reads the span of a page; null if it has no trade, or one without a readable time. @throws Quarantined */
function tradesSpan(body: JsonText): TimeSpan | null {
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

/** Time a tape is kept, and number of markets. */
const LIMITS = { keep: 600 * MICROS_PER_SECOND, tapes: 4 } as const

type Page = { readonly item: PayloadItem; readonly span: TimeSpan | null }
type Tape = { readonly read_at: Micros; readonly from: Micros; readonly pages: readonly Page[] }

/**
 * Memory of trade tapes. The venue pages from the newest trade by offset, never by time: reading a past day means reading
 * everything after it. The pages of a market are therefore kept for a while, and each day gets those that overlap it.
 */
export type TapeMemory = {
  /** Reads the pages from the newest to the start of a range, of a tape that still grows. */
  newest(first: string, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Yields the pages that overlap a range; a recent tape is not requested again. */
  range(first: string, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Empties the memory. */
  forget(): void
}

/** Creates an empty memory. @param now microseconds since 1970 */
export function createTapeMemory(data: VenueHttpClient, now: () => Micros): TapeMemory {
  const tapes = new Map<string, Tape>()
  const pagesOf = (
    first: string,
    from: Micros,
    signal?: AbortSignal,
    on_span: (span: TimeSpan | null) => void = ignore,
  ) =>
    fetchPages(
      data,
      {
        endpoint: ENDPOINTS.data_trades,
        first,
        next: (body, request) => nextTrades(body, request, from),
        on_page: (body) => on_span(tradesSpan(body)),
      },
      signal,
    )
  async function* read(first: string, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const { from } = range
    const read_at = now()
    const pages: Page[] = []
    let span: TimeSpan | null = null
    const reading = pagesOf(first, from, signal, (found) => {
      span = found
    })
    // The span of a page is known when the next one is requested.
    let waiting: PayloadItem | null = null
    for await (const item of reading) {
      if (waiting !== null) pages.push({ item: waiting, span })
      span = null
      waiting = item
    }
    if (waiting !== null) pages.push({ item: waiting, span })
    const tape = { read_at, from, pages }
    tapes.delete(first)
    tapes.set(first, tape)
    if (tapes.size > LIMITS.tapes) tapes.delete(tapes.keys().next().value!)
    yield* givenOut(tape, range)
  }
  return {
    newest: (first, { from }, signal) => pagesOf(first, from, signal),
    async *range(first, range, signal) {
      const known = tapes.get(first)
      const until = Math.min(range.to ?? now(), now())
      // Trades are sometimes listed late, so a tape for a past day may be some minutes old.
      if (
        known !== undefined &&
        now() - known.read_at < LIMITS.keep &&
        known.from <= range.from &&
        known.read_at >= until
      ) {
        yield* givenOut(known, range)
        return
      }
      yield* read(first, range, signal)
    },
    forget: () => tapes.clear(),
  }
}

function* givenOut({ pages }: Tape, { from, to }: ReadRange): Generator<PayloadItem> {
  for (const { item, span } of pages) {
    // A page without readable times is left to its reader.
    if (span === null || (span.newest >= from && (to === null || span.oldest < to))) yield item
  }
}

function ignore(): void {}
