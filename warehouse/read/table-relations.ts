import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fileColumns } from '../parquet/file-columns.ts'
import { duckdbType, LOG_COLUMNS } from '../schema.ts'
import { quoteName, quoteText, readSql } from '../sql/read-sql.ts'
import { type TableName, tableSchema } from '../tables.ts'
import type { SourceFile, TableSource } from './table-source.ts'

/** Names of the two relations of a table as of an instant; the public views read them. */
export const visibleRelation = (table: TableName): string => `${table}__visible`
export const currentRelation = (table: TableName): string => `${table}__current`

/** Returns known(T) of one table as a subquery: every revision (methodology §14). */
export function visibleRows(source: TableSource, as_of: Micros): string {
  const rows = filesRelation(source.table, filesUpTo(source.files, as_of))
  return visibleOf(source.table, rows, instantLiteral(as_of))
}

/** Returns the rows of a relation that were known at an instant, which is SQL, as a subquery. */
export function visibleOf(table: TableName, rows: string, as_of: string): string {
  return readSql(import.meta.url, 'sql/rows_visible.sql', { columns: columnList(table), rows, as_of })
}

/** Returns the current row of each chain among known rows as a subquery. */
export function currentOf(table: TableName, visible: string): string {
  return readSql(import.meta.url, 'sql/current_by_window.sql', {
    columns: columnList(table),
    visible,
    chain: chainList(table),
    newest: currentKey(table, 'desc'),
  })
}

/** Returns all columns of a table with the log's own, as a select list. */
export function columnList(table: TableName): string {
  return columnNames(table).map(quoteName).join(', ')
}

/** Returns the files as a relation; without files an empty one with the same columns and types. */
export function filesRelation(table: TableName, files: readonly SourceFile[]): string {
  if (files.length > 0)
    return dataRelation(
      table,
      files.map((file) => file.path),
    )
  return `(${emptySelect(table)})`
}

/** Returns a relation of these Parquet files; folder names never become columns. @param options begin with a comma */
export function parquetRelation(paths: readonly string[], options = ''): string {
  return `read_parquet(${pathList(paths)}, hive_partitioning = false${options})`
}

/**
 * Data files of a table, with all its columns: files written before a nullable column was added do not have it, and it is
 * null there. Where every file has every column it is the plain relation of the files.
 * @param options.file_column  a further column with the path of the row's file
 */
export function dataRelation(
  table: TableName,
  paths: readonly string[],
  options: { readonly file_column?: string } = {},
): string {
  const names = columnNames(table)
  const named = options.file_column === undefined ? '' : `, filename = ${quoteText(options.file_column)}`
  if (paths.every((path) => COMPLETE.has(path) || isComplete(path, names))) return parquetRelation(paths, named)
  const files = parquetRelation(paths, `, union_by_name = true${named}`)
  return `(${emptySelect(table)} union all by name select * from ${files})`
}

function pathList(paths: readonly string[]): string {
  return `[${paths.map(quoteText).join(', ')}]`
}

function emptySelect(table: TableName): string {
  const schema = { ...tableSchema(table).columns, ...LOG_COLUMNS }
  const columns = Object.entries(schema).map(([name, type]) => `null::${duckdbType(type)} as ${quoteName(name)}`)
  return `select ${columns.join(', ')} where false`
}

/** Data files known to have every column of their table: a read may be of thousands of files. */
const COMPLETE = new Set<string>()

/** True also for a missing file, which the read reports. */
function isComplete(path: string, names: readonly string[]): boolean {
  const columns = fileColumns(path)
  if (columns === null) return true
  const complete = names.every((name) => columns.has(name))
  if (complete) COMPLETE.add(path)
  return complete
}

/** Returns a TIMESTAMPTZ literal. */
export function instantLiteral(micros: Micros): string {
  return `timestamptz '${formatMicros(micros)}'`
}

/** Returns the columns that identify a chain, as a list. */
export function chainList(table: TableName): string {
  return tableSchema(table).chain.map(quoteName).join(', ')
}

/** Returns the join condition for two rows of one chain; null equals null. */
export function sameChain(table: TableName, left: string, right: string): string {
  const { chain } = tableSchema(table)
  return chain
    .map((name) => `${left}.${quoteName(name)} is not distinct from ${right}.${quoteName(name)}`)
    .join(' and ')
}

/** Returns the sort key whose greatest row is current, every column in the given direction. */
export function currentKey(table: TableName, direction: 'asc' | 'desc'): string {
  const columns = [...tableSchema(table).current, 'published_at', 'row_ordinal']
  return columns.map((name) => `${quoteName(name)} ${direction}`).join(', ')
}

/** Returns current(T) of one table as a subquery: the current row of each chain. */
export function currentRows(source: TableSource, as_of: Micros): string {
  const { table, intervals } = source
  if (intervals === null) return currentOf(table, visibleRows(source, as_of))
  const columns = columnList(table)
  const covered = { columns, intervals: parquetRelation([intervals.path]), as_of: instantLiteral(as_of) }
  const tail = tailFiles(source, intervals.covered_to, as_of)
  if (tail.length === 0) return readSql(import.meta.url, 'sql/current_by_intervals.sql', covered)
  return readSql(import.meta.url, 'sql/current_by_intervals_and_tail.sql', {
    ...covered,
    tail: filesRelation(table, tail),
    covered: instantLiteral(intervals.covered_to),
    chain: chainList(table),
    same_chain: sameChain(table, 'c', 't'),
    newest: currentKey(table, 'desc'),
  })
}

/** Files that may hold rows published after `covered_to` and up to as_of; a merged file may span both. */
function tailFiles(source: TableSource, covered_to: Micros, as_of: Micros): readonly SourceFile[] {
  if (as_of <= covered_to) return []
  return filesUpTo(source.files, as_of).filter((file) => file.published_to > covered_to)
}

function filesUpTo(files: readonly SourceFile[], as_of: Micros): readonly SourceFile[] {
  return files.filter((file) => file.published_from <= as_of)
}

/** Returns the names of all columns of a table with the log's own. */
export function columnNames(table: TableName): string[] {
  return [...Object.keys(tableSchema(table).columns), ...Object.keys(LOG_COLUMNS)]
}
