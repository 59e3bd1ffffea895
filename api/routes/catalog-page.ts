import type { Micros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { CursorState, RouteAnswer, RouteRequest } from '../server/handler.ts'
import { integerParameter } from './parameters.ts'

type SortKey = readonly (string | number)[]

/** A list from the catalogue: its rows, their order, and their conversion to resources. */
export type CatalogList = {
  /** Tables of the rows: the first page pins the list to their state at that moment. */
  readonly tables: readonly TableName[]
  readonly rows: (catalog: Catalog) => readonly Row[]
  readonly keep: (row: Row, catalog: Catalog) => boolean
  /** Sort key, ascending; the last part is unique. */
  readonly key: (row: Row) => SortKey
  readonly show: (row: Row, catalog: Catalog) => unknown
}

/** Returns one page of a list in memory. All pages of one cursor show the same instant, so no record is skipped or repeated. */
export function catalogPage(request: RouteRequest, list: CatalogList): RouteAnswer {
  const { reader, cursor } = request
  const as_of = cursor?.as_of ?? request.as_of
  const catalog = reader.catalog(as_of)
  const kept = list.rows(catalog).filter((row) => list.keep(row, catalog))
  const sorted = kept.map((row) => ({ row, key: list.key(row) })).sort((a, b) => compareKeys(a.key, b.key))
  const rest = cursor === null ? sorted : sorted.filter(({ key }) => compareKeys(key, cursor.key as SortKey) > 0)
  const page = rest.slice(0, integerParameter(request, 'limit'))
  const last = page.at(-1)
  const next: CursorState | null =
    last === undefined || rest.length === page.length
      ? null
      : { as_of: as_of ?? takenIn(request, list.tables), key: last.key }
  return { data: page.map(({ row }) => list.show(row, catalog)), next }
}

function takenIn({ reader }: RouteRequest, tables: readonly TableName[]): Micros {
  return Math.max(...tables.map((table) => reader.horizon(table)))
}

/** Compares keys part by part: texts by code unit, numbers by value. */
export function compareKeys(a: SortKey, b: SortKey): number {
  for (const [place, left] of a.entries()) {
    const right = b[place]!
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}
