import { ENDPOINTS } from '../../../pipelines/venues/polymarket/endpoints.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../../http/venue-http-client.ts'
import { fetchPages } from '../fetch-pages.ts'
import type { ReadRange } from '../venue-connector.ts'
import { nextTrades, type TimeSpan, tradesSpan } from './trade-pages.ts'

/** A tape that was read is given out again for so long, of so many markets. */
const LIMITS = { keep: 600 * MICROS_PER_SECOND, tapes: 4 } as const

type Page = { readonly item: PayloadItem; readonly span: TimeSpan | null }
type Tape = { readonly read_at: Micros; readonly from: Micros; readonly pages: readonly Page[] }

/**
 * Tapes of trades, which the venue gives newest first and by place alone, never by time: whoever wants a day of the past reads
 * all that came after it. So the pages of a market are kept for a while, and each day is given those that hold anything of it.
 */
export type TapeMemory = {
  /** The pages from the newest to where a range begins, of a tape that goes on. */
  newest(first: string, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** The pages that hold something of a range; those of a tape that was read lately without asking the venue. */
  range(first: string, range: ReadRange, signal?: AbortSignal): AsyncGenerator<PayloadItem>
}

/** @param now microseconds since 1970 */
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
    // The span of a page is known when the next one is asked for.
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
      // Trades are listed late now and then, so a tape that is read for a past day may be some minutes old.
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
  }
}

function* givenOut({ pages }: Tape, { from, to }: ReadRange): Generator<PayloadItem> {
  for (const { item, span } of pages) {
    // A page whose times cannot be read is for its reader to judge.
    if (span === null || (span.newest >= from && (to === null || span.oldest < to))) yield item
  }
}

function ignore(): void {}
