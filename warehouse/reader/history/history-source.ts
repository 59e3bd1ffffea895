import { isServiceError, ServiceError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import { dataRelation } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import type { LiveFile, Snapshot } from '../../warehouse.ts'
import type { FollowedTableName, StoredTableName } from '../followed-tables.ts'
import type { VerifyFiles } from '../verified-paths.ts'
import type { QueryPool } from './query-pool.ts'
import { EngineError } from './query-worker.ts'
import { keptColumns, keptRelation, smallFiles } from './small-files.ts'

/** What reads of history are made from. */
export type HistorySource = {
  /** The newest version of a table that can be read; it may be newer than memory. */
  snapshot(table: FollowedTableName): Promise<Snapshot>
  /**
   * Runs a query over files that are checked first; `sql` gets what makes a relation of some of them.
   * @throws {FileRemovedError} a file is of no version any more: read anew from a newer one
   */
  query(of: QueriedFiles, sql: (relation: RelationOf) => string, params?: SqlParameters): Promise<Row[]>
}

/** Files of one table that a query reads. `whole`: columns beyond `keptColumns` as well. */
type QueriedFiles = {
  readonly table: StoredTableName
  readonly files: readonly LiveFile[]
  readonly whole?: boolean
}

export type RelationOf = (files: readonly LiveFile[]) => string

/** A compaction replaced the file while it was to be read, and it was deleted. */
class FileRemovedError extends ServiceError {
  constructor(file: string, cause: unknown) {
    super('SERVICE_UNAVAILABLE', `data file ${file} was replaced while it was to be read; try again`, { file }, cause)
  }
}

/** Reads once more, from a newer version, when a file of the first one was removed meanwhile. */
export async function fromNewest<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FileRemovedError)) throw error
    return read()
  }
}

/** Joins the parts. */
export function historySource(
  snapshot: HistorySource['snapshot'],
  verify: VerifyFiles,
  pool: Pick<QueryPool, 'query'>,
  small_file_rows: number,
): HistorySource {
  /** A file that is missing and is not of the newest version is no damage. */
  const verified = async (table: StoredTableName, files: readonly LiveFile[]): Promise<readonly string[]> => {
    try {
      return await verify(files)
    } catch (error) {
      if (!isServiceError(error, 'WAREHOUSE_CORRUPT')) throw error
      const file = String(error.facts.file)
      const { files: live } = await snapshot(table)
      throw live.some(({ key }) => key === file) ? error : new FileRemovedError(file, error)
    }
  }
  return {
    snapshot,
    async query({ table, files, whole = false }, sql, params = {}) {
      const asked = [...new Set(files)]
      const paths = await verified(table, asked)
      const path_of = new Map(asked.map((file, place) => [file, paths[place]!]))
      const small = new Set(whole ? [] : smallFiles(asked, small_file_rows))
      const kept = small.size === 0 ? null : { table, paths: [...small].map((file) => path_of.get(file)!) }
      try {
        const text = sql((some) => relationOf(table, some, path_of, small))
        return await pool.query(text, params, kept)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        await verified(table, files) // a file that was damaged meanwhile is named
        throw new ServiceError(
          'WAREHOUSE_CORRUPT',
          `the engine cannot read the data files: ${error.message}`,
          {},
          error,
        )
      }
    },
  }
}

function relationOf(
  table: StoredTableName,
  files: readonly LiveFile[],
  path_of: ReadonlyMap<LiveFile, string>,
  small: ReadonlySet<LiveFile>,
): string {
  const paths = (some: readonly LiveFile[]) => some.map((file) => path_of.get(file)!)
  const kept = files.filter((file) => small.has(file))
  const others = files.filter((file) => !small.has(file))
  if (kept.length === 0) return dataRelation(table, paths(others))
  const of_kept = keptRelation(table, paths(kept))
  if (others.length === 0) return of_kept
  const columns = keptColumns(table).join(', ')
  return `(select ${columns} from ${dataRelation(table, paths(others))} union all from ${of_kept})`
}
