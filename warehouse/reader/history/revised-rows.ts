import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { fillTemplate, quoteName } from '../../read/sql-template.ts'
import type { Row } from '../../schema.ts'
import { tableSchema } from '../../tables.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { GrowingTableName } from '../followed-tables.ts'
import type { HistorySource } from './history-source.ts'
import type { Series } from './series.ts'
import { isByRevision } from './series-sql.ts'

/** What second rows of chains some files have: of no key, of some, or too many to keep. */
export type RevisedRows = {
  /** false: no chain of the key has a second row there. */
  hasKey(value: string): boolean
  /** Whether a row is superseded by one of them known at an instant; null: that cannot be told from what is kept. */
  readonly supersedes: ((row: Row, as_of: Micros) => boolean) | null
}

/** With more files that nothing is known of it is cheaper to look for the key's own rows at once. */
const FILES_ASKED_MAX = 16
/** Rows kept of files that are asked together; with more of them nothing is kept. */
const ROWS_MAX = 2000
/** Rows kept in all; with more it begins anew. */
const KEPT_ROWS_MAX = 200_000

const TOO_MANY: RevisedRows = { hasKey: () => true, supersedes: null }

/** Of each file; data files never change. */
let KNOWN = new WeakMap<LiveFile, RevisedRows>()
let kept_rows = 0

/** What second rows the files have, at once where that is known: each file is asked once. null: too many were not asked yet. */
export function revisedRows(
  source: HistorySource,
  series: Series,
  files: readonly LiveFile[],
): RevisedRows | Promise<RevisedRows> | null {
  const known = new Set(files.map((file) => KNOWN.get(file)).filter((one) => one !== undefined))
  const unknown = files.filter((file) => !KNOWN.has(file))
  if (unknown.length === 0) return together([...known])
  if (unknown.length > FILES_ASKED_MAX) return null
  return learn(source, series, unknown).then((learned) => together([...known, learned]))
}

/** One query for all: a file is then taken to have the rows of the others too, which is right of a chain anywhere. */
async function learn(source: HistorySource, { table, key }: Series, files: readonly LiveFile[]): Promise<RevisedRows> {
  const first_key = Object.keys(key)[0]!
  const columns = isByRevision(table) ? [...tableSchema(table).chain, ...ORDER] : []
  const rows = await source.query({ table, files }, (relation) =>
    fillTemplate('revised_rows', {
      columns: [...new Set([first_key, ...columns])].map(quoteName).join(', '),
      rows: relation(files),
      limit: String(ROWS_MAX + 1),
    }),
  )
  const learned = rows.length > ROWS_MAX ? TOO_MANY : rowsOfKeys(table, first_key, rows)
  if (kept_rows > KEPT_ROWS_MAX) [KNOWN, kept_rows] = [new WeakMap(), 0]
  kept_rows += learned === TOO_MANY ? 0 : rows.length
  for (const file of files) KNOWN.set(file, learned)
  return learned
}

function rowsOfKeys(table: GrowingTableName, first_key: string, rows: readonly Row[]): RevisedRows {
  const keys = new Set(rows.map((row) => String(row[first_key])))
  return { hasKey: (value) => keys.has(value), supersedes: isByRevision(table) ? supersededBy(table, rows) : null }
}

/** A row's place among the rows of its chain: the greatest known is current (methodology 4.13). */
const ORDER = ['revision', 'published_at', 'row_ordinal']
type Place = { readonly revision: number; readonly published_at: Micros; readonly row_ordinal: number }

function supersededBy(table: GrowingTableName, rows: readonly Row[]): NonNullable<RevisedRows['supersedes']> {
  const { chain } = tableSchema(table)
  const chainOf = (row: Row) => JSON.stringify(chain.map((column) => row[column]))
  const places = new Map<string, Place[]>()
  for (const row of rows) {
    const name = chainOf(row)
    places.set(name, [...(places.get(name) ?? []), placeOf(row)])
  }
  return (row, as_of) => {
    const others = places.get(chainOf(row))
    if (others === undefined) return false
    const own = placeOf(row)
    return others.some((other) => other.published_at <= as_of && isAfter(other, own))
  }
}

function placeOf(row: Row): Place {
  return {
    revision: row.revision as number,
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
  }
}

function isAfter(a: Place, b: Place): boolean {
  if (a.revision !== b.revision) return a.revision > b.revision
  return a.published_at === b.published_at ? a.row_ordinal > b.row_ordinal : a.published_at > b.published_at
}

function together(all: readonly RevisedRows[]): RevisedRows {
  const [only] = all
  if (all.length === 1 && only !== undefined) return only
  const rules = all.flatMap(({ supersedes }) => (supersedes === null ? [] : [supersedes]))
  const supersedes = (row: Row, as_of: Micros) => rules.some((rule) => rule(row, as_of))
  return {
    hasKey: (value) => all.some((one) => one.hasKey(value)),
    supersedes: rules.length === all.length ? supersedes : null,
  }
}
