import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { loggedRows, NOT_LOGGED, type RecordForm } from '../transparency/record-form.ts'
import { integerParameter } from './parameters.ts'

type SortKey = readonly (string | number)[]

/** A list from the catalogue: its rows, their order, and their conversion to resources. */
export type CatalogList = {
  readonly rows: (catalog: Catalog) => readonly Row[]
  readonly keep: (row: Row, catalog: Catalog) => boolean
  /** Sort key, ascending; the last part is unique. */
  readonly key: (row: Row) => SortKey
  readonly show: (row: Row, catalog: Catalog) => unknown
  /** Form of a row in the log; absent: the log has none of these records. */
  readonly form?: RecordForm
  /** Returns the form of one row; absent: `form`. */
  readonly formOf?: (row: Row) => RecordForm
}

/**
 * Returns one page of a list in memory. All pages of one cursor show the catalogue of the first page, nested objects included, so
 * no record is skipped, repeated or of another instant.
 */
export function catalogPage(request: RouteRequest, list: CatalogList): RouteAnswer | Promise<RouteAnswer> {
  const { reader, cursor, as_of } = request
  if (as_of !== null || cursor?.known === undefined) return pageOf(request, list, reader.catalog(as_of))
  return reader.catalogOf({ at: cursor.as_of, known: cursor.known }).then((catalog) => pageOf(request, list, catalog))
}

function pageOf(request: RouteRequest, list: CatalogList, catalog: Catalog): RouteAnswer {
  const { cursor } = request
  const kept = list.rows(catalog).filter((row) => list.keep(row, catalog))
  const sorted = kept.map((row) => ({ row, key: list.key(row) })).sort((a, b) => compareKeys(a.key, b.key))
  const rest = cursor === null ? sorted : sorted.filter(({ key }) => compareKeys(key, cursor.key as SortKey) > 0)
  const page = rest.slice(0, integerParameter(request, 'limit'))
  const last = page.at(-1)
  const { at, known } = catalog.state
  // A catalogue is kept while nothing changes: its own instant may be long before the first page.
  const as_of = cursor?.as_of ?? request.as_of ?? Math.max(at, request.now)
  const next = last === undefined || rest.length === page.length ? null : { as_of, known, key: last.key }
  const rows = page.map(({ row }) => row)
  const { form } = list
  const logged = form === undefined ? NOT_LOGGED : loggedRows([form.kind], rows, list.formOf ?? (() => form))
  return { data: rows.map((row) => list.show(row, catalog)), next, ...logged }
}

/** Compares keys part by part: texts by code unit, numbers by value. */
export function compareKeys(a: SortKey, b: SortKey): number {
  for (const [place, left] of a.entries()) {
    const right = b[place]!
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}
