import type { Connection } from '../../duckdb/memory-database.ts'
import { dataRelation, filesRelation } from '../../read/table-relations.ts'
import { LOG_COLUMNS } from '../../schema.ts'
import { quoteName, quoteText } from '../../sql/read-sql.ts'
import { tableSchema } from '../../tables.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { StoredTableName } from '../followed-tables.ts'
import type { KeptFiles } from './query-job.ts'

/*
 * Files not merged yet hold one commit each. Opening such a file costs DuckDB more than reading its few rows, so each process of
 * the pool reads it once and keeps the rows; a data file never changes.
 */

/** Most rows of small files that one query reads this way. */
const QUERY_ROWS_MAX = 20_000
/** Rows that a process keeps; above it, all are dropped. */
const KEPT_ROWS_MAX = 60_000

/** Files read in one statement. After each the time of the query begins anew: on a busy machine, opening hundreds may take minutes. */
const PIECE_FILES_MAX = 32

/** Columns not kept: no read of many rows shows them. */
const LEFT_OUT: Partial<Record<StoredTableName, readonly string[]>> = { index_observation: ['inputs'] }

const FILE_COLUMN = '__file'

/** Returns the columns that a read of many rows may use, quoted. */
export function keptColumns(table: StoredTableName): string[] {
  const names = Object.keys({ ...tableSchema(table).columns, ...LOG_COLUMNS })
  return names.filter((name) => LEFT_OUT[table]?.includes(name) !== true).map(quoteName)
}

/** Returns the files of a query that it reads from the kept rows. */
export function smallFiles(files: readonly LiveFile[], rows_max: number): LiveFile[] {
  const small = files.filter(({ rows }) => rows <= rows_max)
  return small.reduce((sum, { rows }) => sum + rows, 0) <= QUERY_ROWS_MAX ? small : []
}

/** Returns the kept rows of some files as a relation. */
export function keptRelation(table: StoredTableName, paths: readonly string[]): string {
  const files = paths.map(quoteText).join(', ')
  return `(select ${keptColumns(table).join(', ')} from ${keptTable(table)} where ${FILE_COLUMN} in (${files}))`
}

const keptTable = (table: StoredTableName) => quoteName(`kept_${table}`)

/** Rows of small files kept by one process. */
export class SmallFiles {
  readonly #connection: Connection
  readonly #paths = new Map<StoredTableName, Set<string>>()
  #rows = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /**
   * Reads the files that are not kept yet, in pieces, because many files may take long.
   * @param onPiece  called when a piece is kept and others remain
   */
  async keep({ table, paths }: KeptFiles, onPiece: () => void = () => undefined): Promise<void> {
    if (this.#missing(table, paths).length === 0) return
    if (this.#rows > KEPT_ROWS_MAX) await this.#drop()
    const added = this.#missing(table, paths)
    await this.#connection.run(
      `create table if not exists ${keptTable(table)} as select ''::varchar as ${FILE_COLUMN}, ${keptColumns(table).join(', ')} from ${filesRelation(table, [])}`,
    )
    for (let from = 0; from < added.length; from += PIECE_FILES_MAX) {
      if (from > 0) onPiece()
      await this.#keepPiece(table, added.slice(from, from + PIECE_FILES_MAX))
    }
  }

  async #keepPiece(table: StoredTableName, paths: readonly string[]): Promise<void> {
    const rows = dataRelation(table, paths, { file_column: FILE_COLUMN })
    const { rowsChanged } = await this.#connection.run(
      `insert into ${keptTable(table)} by name select ${FILE_COLUMN}, ${keptColumns(table).join(', ')} from ${rows}`,
    )
    this.#rows += rowsChanged
    const known = this.#paths.get(table) ?? new Set()
    for (const path of paths) known.add(path)
    this.#paths.set(table, known)
  }

  #missing(table: StoredTableName, paths: readonly string[]): string[] {
    const known = this.#paths.get(table)
    return paths.filter((path) => known?.has(path) !== true)
  }

  async #drop(): Promise<void> {
    for (const table of this.#paths.keys()) await this.#connection.run(`drop table if exists ${keptTable(table)}`)
    this.#paths.clear()
    this.#rows = 0
  }
}
