import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { chainList, instantLiteral, sameChain } from '../../read/table-relations.ts'
import { quoteName, quoteText, readSql } from '../../sql/read-sql.ts'
import { tableSchema } from '../../tables.ts'
import type { LiveFile } from '../../warehouse.ts'
import { hasRevisions, instantBounds, mayHold } from './file-bounds.ts'
import type { RelationOf } from './history-source.ts'
import type { Series } from './series.ts'

/** Returns the files that may hold rows of a series known at an instant. */
export function filesOfSeries(series: Pick<Series, 'key'>, files: readonly LiveFile[], as_of: Micros): LiveFile[] {
  const key = Object.entries(series.key)
  return files.filter((file) => {
    return file.stamp_min <= as_of && key.every(([column, value]) => mayHold(file, column, value))
  })
}

/** Returns the condition on rows that every read of a series has. */
export function knownRows(series: Pick<Series, 'key' | 'rows'>, as_of: Micros): string {
  const rows = series.rows === undefined ? [] : [series.rows]
  const key = Object.entries(series.key).map(([column, value]) => `${quoteName(column)} = ${quoteText(value)}`)
  return [...key, ...rows, `published_at <= ${instantLiteral(as_of)}`].join(' and ')
}

/**
 * Returns the files that decide whether rows in `chunk` are current: those with rows of the same chains. Empty if no chain in
 * them has a second row, which is the usual case.
 */
export function decidingFiles(series: Series, files: readonly LiveFile[], chunk: readonly LiveFile[]): LiveFile[] {
  const near = overlapping(series, files, chunk)
  const revised = near.filter(hasRevisions)
  return revised.length > 0 && !isByRevision(series) ? near : revised
}

/** Returns the query that drops superseded rows from `visible`. */
export function keptQuery(series: Series, deciding: readonly LiveFile[], relation: RelationOf, known: string): string {
  if (deciding.length === 0) return 'select * from visible'
  const { table } = series
  const current = [...tableSchema(table).current, 'published_at', 'row_ordinal']
  return readSql(import.meta.url, 'sql/without_superseded.sql', {
    chain: chainList(table),
    same_chain: sameChain(table, 'v', 'r'),
    rows: relation(deciding),
    known: isByRevision(series) ? `${known} and revision > 1` : known,
    newest: structOf(current, ''),
    newest_of_v: structOf(current, 'v.'),
    revised: isByRevision(series) ? 'true' : 'max(revision) > 1',
  })
}

/** Returns an instant comparison as SQL. */
export function instantIs(column: string, operator: '<' | '<=' | '=' | '>' | '>=', micros: Micros): string {
  return `${column} ${operator} timestamptz '${formatMicros(micros)}'`
}

/**
 * True if only rows of a greater revision decide which row is current: where revision alone counts, and where the records leave
 * out late rows. Elsewhere a row received earlier may have a greater revision.
 */
function isByRevision({ table, chain_instant }: Series): boolean {
  const { current } = tableSchema(table)
  return chain_instant === null || (current.length === 1 && current[0] === 'revision')
}

/** Files that may share chains with the chunk's files; `files` are all of the series. */
function overlapping(series: Series, files: readonly LiveFile[], chunk: readonly LiveFile[]): LiveFile[] {
  const { chain_instant } = series
  if (chain_instant === null) return [...files]
  const bounds = chunk.map((file) => instantBounds(file, chain_instant))
  const from = Math.min(...bounds.map((range) => range.from))
  const to = Math.max(...bounds.map((range) => range.to))
  return files.filter((file) => {
    const range = instantBounds(file, chain_instant)
    return range.from <= to && range.to >= from
  })
}

function structOf(columns: readonly string[], prefix: string): string {
  return `{${columns.map((column) => `${quoteText(column)}: ${prefix}${quoteName(column)}`).join(', ')}}`
}
