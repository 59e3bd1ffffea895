import { invariant } from '../../../primitives/errors.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { isConfirmationSql } from '../../read/is-confirmation.ts'
import { columnList } from '../../read/table-relations.ts'
import type { Row, RowValue } from '../../schema.ts'
import { quoteName, quoteText, readSql } from '../../sql/read-sql.ts'
import { tableSchema } from '../../tables.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { GrowingTableName } from '../followed-tables.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import type { Series } from './series.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

/**
 * Stored row, and the ids, revisions and addresses of every revision of its chain known at the instant, first to last. A row that only
 * confirms a revision is none.
 */
export type FoundRecord = { readonly row: Row; readonly chain: readonly Row[] }

/** Columns of a table that hold a record's id and narrow the search for its chain. */
export type RecordRule = {
  readonly table: GrowingTableName
  readonly id: string
  readonly key: string
  /** null: a correction may move every instant of its record. */
  readonly chain_instant: Series['chain_instant'] | null
}

/** Finds a record by its id alone. Ids do not reveal time or key, so the newest files are searched first. */
export async function findRecord(
  source: HistorySource,
  rule: RecordRule,
  id: string,
  as_of: Micros,
): Promise<FoundRecord | null> {
  const { files } = await source.snapshot(rule.table)
  const known = knownRows({ key: { [rule.id]: id } }, as_of)
  const left = filesOfSeries({ key: { [rule.id]: id } }, files, as_of)
  left.sort((a, b) => b.stamp_max - a.stamp_max)
  for (let count = FILES_FIRST; left.length > 0; count *= 2) {
    const piece = left.splice(0, Math.min(count, FILES_MAX))
    const [address] = await rowsWhere(source, rule, piece, ADDRESS_COLUMNS, known)
    if (address === undefined) continue
    const row = await rowAt(source, rule, piece, address, known)
    return { row, chain: await chainOf(source, rule, row, files, as_of) }
  }
  return null
}

const ADDRESS_COLUMNS = ['published_at', 'row_ordinal'].map(quoteName).join(', ')

/** Reads the whole row in a second query, so that the search for the id does not decode nested columns. */
async function rowAt(
  source: HistorySource,
  rule: RecordRule,
  files: readonly LiveFile[],
  address: Row,
  known: string,
): Promise<Row> {
  const at = toMicros(address.published_at)
  const near = files.filter((file) => file.stamp_min <= at && at <= file.stamp_max)
  const there = [known, instantIs('published_at', '=', at), `row_ordinal = ${String(address.row_ordinal)}`].join(
    ' and ',
  )
  const [row] = await rowsWhere(source, rule, near, columnList(rule.table), there)
  invariant(row !== undefined, `history: ${rule.table} has no row at an address found in it`)
  return row
}

function rowsWhere(
  source: HistorySource,
  { table }: RecordRule,
  files: readonly LiveFile[],
  columns: string,
  known: string,
): Promise<Row[]> {
  const whole = columns === columnList(table)
  return source.query({ table, files, whole }, (relation) =>
    readSql(import.meta.url, '../../sql/rows_where.sql', { columns, rows: relation(files), known }),
  )
}

const FILES_FIRST = 4
const FILES_MAX = 256

async function chainOf(
  source: HistorySource,
  rule: RecordRule,
  row: Row,
  files: readonly LiveFile[],
  as_of: Micros,
): Promise<Row[]> {
  const { table, chain_instant } = rule
  const key = { [rule.key]: String(row[rule.key]) }
  const of_key = filesOfSeries({ key }, files, as_of)
  const at = chain_instant === null ? null : { column: chain_instant, micros: toMicros(row[chain_instant]) }
  const near = of_key.filter((file) => {
    if (at === null) return true
    const range = instantBounds(file, at.column)
    return range.from <= at.micros && range.to >= at.micros
  })
  const same = tableSchema(table)
    .chain.filter((column) => column !== chain_instant)
    .map((column) => `${quoteName(column)} is not distinct from ${textOrNull(row[column])}`)
  const columns = [rule.id, 'revision', 'published_at', 'row_ordinal'].map(quoteName).join(', ')
  const of_instant = at === null ? [] : [instantIs(at.column, '=', at.micros)]
  const stated = 'confirms_id' in tableSchema(table).columns ? [`not ${isConfirmationSql()}`] : []
  const known = [knownRows({ key }, as_of), ...of_instant, ...same, ...stated].join(' and ')
  return rowsWhere(source, rule, near, columns, known)
}

function textOrNull(value: RowValue): string {
  return value === null || value === undefined ? 'null' : quoteText(String(value))
}
