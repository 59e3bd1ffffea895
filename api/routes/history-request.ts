import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { CandleInstants, HistoryKey, HistoryPage, SampledRange } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { flagParameter, instantParameter, integerParameter, requiredText, textParameter } from './parameters.ts'

/** Column of a record for each time domain. */
export type DomainColumns = Readonly<Record<HistoryPage['time_domain'], string>>

/** Returns the requested page of history, pinned to the cursor's instant. */
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

/** Returns the instant of a history read: the cursor's, the requested one, or that of the last commit read. */
export function pinnedAt(request: RouteRequest, tables: readonly TableName[]): Micros {
  const { reader, cursor, as_of } = request
  return cursor?.as_of ?? as_of ?? Math.max(...tables.map((table) => reader.horizon(table)))
}

/** Returns the instant of a read of the present: the clock, but not before the last commit read. */
export function presentAt(request: RouteRequest, table: TableName): Micros {
  return Math.max(request.now, pinnedAt(request, [table]))
}

/** Returns the range of candles or samples, which is already validated. */
export function sampledRange(request: RouteRequest): SampledRange {
  return {
    from: toMicros(requiredText(request, 'start_time')),
    to: toMicros(requiredText(request, 'end_time')),
    interval: requiredText(request, 'interval') as SampledRange['interval'],
  }
}

/** Reports whether the last record of each interval is requested. */
export function isSampled(request: RouteRequest): boolean {
  return textParameter(request, 'sampling') === 'latest_per_interval'
}

/** Returns the sort key after which a page begins; null: the first page. */
export function afterKey({ cursor }: RouteRequest): HistoryKey | null {
  if (cursor === null) return null
  const [instant, id, published_at, row_ordinal] = cursor.key
  const key = { instant: instant as number | null, id: String(id) }
  if (published_at === undefined) return key
  return { ...key, place: { published_at: Number(published_at), row_ordinal: Number(row_ordinal) } }
}

/** Returns a page that reads one record more than is shown: whether there is one decides has_more. */
export function oneMore<P extends { readonly limit: number }>(page: P): P {
  return { ...page, limit: page.limit + 1 }
}

/**
 * Builds the answer of a page.
 * @param rows  as read by `oneMore(page)`
 */
export function pageAnswer<T>(
  rows: readonly Row[],
  page: Pick<HistoryPage, 'limit' | 'as_of' | 'after'>,
  shown: { readonly column: string; readonly id: string; readonly show: (row: Row) => T },
): RouteAnswer {
  const on_page = rows.slice(0, page.limit)
  const last = on_page.at(-1)
  const instant = last?.[shown.column]
  const id = String(last?.[shown.id])
  const is_by_id = page.after !== null && page.after.place === undefined
  const place = last === undefined || is_by_id ? [] : [toMicros(last.published_at), last.row_ordinal as number]
  const key = [typeof instant === 'string' ? toMicros(instant) : null, id, ...place]
  return { data: on_page.map(shown.show), next: rows.length > page.limit ? { as_of: page.as_of, key } : null }
}

/** Returns the instants that candles are of; all pages of a cursor are of those of its first page. */
export async function candleInstants(request: RouteRequest, tables: readonly TableName[]): Promise<CandleInstants> {
  const as_of = pinnedAt(request, tables)
  const at = request.cursor?.key[1] ?? request.as_of ?? (await request.reader.now())
  return { as_of, at: Number(at) }
}

/** Builds a page of candles, cut from the whole range, whose number of buckets is limited. */
export function candleAnswer(
  request: RouteRequest,
  candles: readonly { readonly bucket_start: string }[],
  { as_of, at }: CandleInstants,
): RouteAnswer {
  const after = request.cursor?.key[0] ?? null
  const rest = after === null ? candles : candles.filter(({ bucket_start }) => toMicros(bucket_start) > Number(after))
  const page = rest.slice(0, integerParameter(request, 'limit'))
  const last = page.at(-1)
  const more = last !== undefined && page.length < rest.length
  const published_at = request.cursor === null ? null : at
  return { data: page, next: more ? { as_of, key: [toMicros(last.bucket_start), at] } : null, published_at }
}
