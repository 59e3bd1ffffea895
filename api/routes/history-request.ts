import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { HistoryKey, HistoryPage, SampledRange } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { flagParameter, instantParameter, integerParameter, requiredText, textParameter } from './parameters.ts'

/** Which column of a record each time domain is. */
export type DomainColumns = Readonly<Record<HistoryPage['time_domain'], string>>

/** A page of history as the parameters ask for it; of one instant, which the cursor keeps. */
export function historyPage(request: RouteRequest, tables: readonly TableName[]): HistoryPage {
  return {
    time_domain: (textParameter(request, 'time_domain') ?? 'published') as HistoryPage['time_domain'],
    start: instantParameter(request, 'start_time'),
    end: instantParameter(request, 'end_time'),
    after: afterKey(request),
    limit: integerParameter(request, 'limit'),
    quality_state: textParameter(request, 'quality_state'),
    include_corrections: flagParameter(request, 'include_corrections'),
    as_of: pinnedAt(request, tables),
  }
}

/** The instant that a read of history is of: the cursor's, the one asked for, or what was taken in by now. */
export function pinnedAt(request: RouteRequest, tables: readonly TableName[]): Micros {
  const { reader, cursor, as_of } = request
  return cursor?.as_of ?? as_of ?? Math.max(...tables.map((table) => reader.horizon(table)))
}

/** The range of candles or samples; the server has checked it. */
export function sampledRange(request: RouteRequest): SampledRange {
  return {
    from: toMicros(requiredText(request, 'start_time')),
    to: toMicros(requiredText(request, 'end_time')),
    interval: requiredText(request, 'interval') as SampledRange['interval'],
  }
}

/** True where the last record of each interval is asked for. */
export function isSampled(request: RouteRequest): boolean {
  return textParameter(request, 'sampling') === 'latest_per_interval'
}

/** The sort key that a page of history begins after; null: the first page. */
export function afterKey({ cursor }: RouteRequest): HistoryKey | null {
  return cursor === null ? null : { instant: cursor.key[0] as number | null, id: String(cursor.key[1]) }
}

/** A page is full when it has as many records as asked for; then the next one begins after its last record. */
export function pageAnswer<T>(
  rows: readonly Row[],
  page: { readonly limit: number; readonly as_of: Micros },
  shown: { readonly column: string; readonly id: string; readonly show: (row: Row) => T },
): RouteAnswer {
  const last = rows.at(-1)
  const full = last !== undefined && rows.length === page.limit
  const instant = last?.[shown.column]
  const key = [typeof instant === 'string' ? toMicros(instant) : null, String(last?.[shown.id])] as const
  return { data: rows.map(shown.show), next: full ? { as_of: page.as_of, key } : null }
}

/** Candles are made whole and cut into pages: a range has at most so many buckets as the limits say. */
export function candleAnswer(
  request: RouteRequest,
  candles: readonly { readonly bucket_start: string }[],
  as_of: Micros,
): RouteAnswer {
  const after = request.cursor?.key[0] ?? null
  const rest = after === null ? candles : candles.filter(({ bucket_start }) => toMicros(bucket_start) > Number(after))
  const page = rest.slice(0, integerParameter(request, 'limit'))
  const last = page.at(-1)
  const more = last !== undefined && page.length < rest.length
  return { data: page, next: more ? { as_of, key: [toMicros(last.bucket_start)] } : null }
}
