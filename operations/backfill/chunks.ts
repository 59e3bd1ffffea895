import { formatMicros, type Instant, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import type { BackfillChunk, BackfillRequest, IndexChunk, MarketLife } from './backfill-types.ts'

type Range = { readonly from: Instant; readonly to: Instant }

/**
 * Returns the chunks of markets: market by market, each UTC day of the range in which the market existed. The same markets and range
 * give the same chunks. Pure.
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID, VALIDATION_RANGE_INVALID
 */
export function chunksOf(
  { venue_id, from, to }: Omit<BackfillRequest, 'markets'>,
  markets: readonly MarketLife[],
): BackfillChunk[] {
  const range = parseRange(from, to)
  return markets.flatMap(({ source_market_id, opens_at, ended_at }) => {
    const lived = {
      from: Math.max(range.from, opens_at ?? range.from),
      // Includes trades at the very instant of its end.
      to: Math.min(range.to, ended_at === null ? range.to : ended_at + 1),
    }
    return daysOf(lived).map((day) => ({ venue_id, source_market_id, ...day }))
  })
}

/**
 * Returns the chunks of an index: its ticks in [from, to), UTC day by UTC day. Pure.
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID, VALIDATION_RANGE_INVALID
 */
export function indexChunks(index_id: string, { from, to }: Range): IndexChunk[] {
  return daysOf(parseRange(from, to)).map((day) => ({ index_id, ...day }))
}

/** Returns a chunk's key within its backfill. */
export function chunkKey(chunk: BackfillChunk | IndexChunk): string {
  return `${'index_id' in chunk ? chunk.index_id : chunk.source_market_id} ${chunk.from}`
}

/** [from, to) cut at every midnight UTC; no days if it is empty. */
function daysOf({ from, to }: { readonly from: Micros; readonly to: Micros }): Range[] {
  const days: Range[] = []
  for (let day = from; day < to; ) {
    const next = Math.min(to, (Math.floor(day / MICROS_PER_DAY) + 1) * MICROS_PER_DAY)
    days.push({ from: formatMicros(day), to: formatMicros(next) })
    day = next
  }
  return days
}
