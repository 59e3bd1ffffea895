import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { quoteText } from '../../sql/read-sql.ts'
import type { HistoryKey, HistoryPage } from '../reader.ts'
import type { Series } from './series.ts'

type OrderedPage = Pick<HistoryPage, 'after'>

/** Sort key of a record; records without the instant of the page are last. */
export type PageKey = {
  readonly instant: Micros
  readonly published_at: Micros
  readonly row_ordinal: number
  readonly id: string
}

/**
 * Compares records as a page lists them: by the instant of its clock, then by commit, the order that also decides the first and last
 * price of a candle, then by id. The rest of a list whose cursor names no commit is by (instant, id).
 */
export function byPageOrder({ after }: OrderedPage): (a: PageKey, b: PageKey) => number {
  return (a, b) => {
    if (a.instant !== b.instant) return a.instant - b.instant
    const commits = isById(after) ? 0 : a.published_at - b.published_at || a.row_ordinal - b.row_ordinal
    return commits || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  }
}

/** Returns whether a record comes after the cursor of a page. */
export function isBehind({ after }: OrderedPage): (key: PageKey) => boolean {
  if (after === null) return () => true
  const { instant, id, place = { published_at: 0, row_ordinal: 0 } } = after
  const key = { instant: instant ?? Number.POSITIVE_INFINITY, id, ...place }
  const compare = byPageOrder({ after })
  return (record) => compare(record, key) > 0
}

/** Returns the same order as the columns of SQL. @param instant column of the page's clock; null: the records have none */
export function orderSql({ after }: OrderedPage, { id }: Pick<Series, 'id'>, instant: string | null): string {
  return [...(instant === null ? [] : [instant]), ...(isById(after) ? [] : COMMIT), id].join(', ')
}

/** Returns the condition on records of the cursor's own instant that come after it. */
export function behindSql(after: HistoryKey, { id }: Pick<Series, 'id'>): string {
  const { place } = after
  if (place === undefined) return `${id} > ${quoteText(after.id)}`
  const values = [`timestamptz '${formatMicros(place.published_at)}'`, place.row_ordinal, quoteText(after.id)]
  return `(${[...COMMIT, id].join(', ')}) > (${values.join(', ')})`
}

/** Returns the place of a record's commit. */
export function placeOf(row: { readonly published_at?: unknown; readonly row_ordinal?: unknown }) {
  return { published_at: toMicros(row.published_at), row_ordinal: row.row_ordinal as number }
}

const COMMIT = ['published_at', 'row_ordinal']

function isById(after: HistoryKey | null): boolean {
  return after !== null && after.place === undefined
}
