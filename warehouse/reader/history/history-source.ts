import { isServiceError, ServiceError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../duckdb/memory-database.ts'
import { dataRelation } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import type { LiveFile, Snapshot } from '../../warehouse.ts'
import type { FollowedTableName, StoredTableName } from '../followed-tables.ts'
import type { VerifyFiles } from '../verified-paths.ts'
import type { Queries } from './query-pool.ts'
import { EngineError } from './query-worker.ts'
import { keptColumns, keptRelation, smallFiles } from './small-files.ts'

/** Source of reads of history: snapshots of tables and queries over their files. */
export type HistorySource = {
  /** Returns the newest readable version of a table; it may be newer than memory. */
  snapshot(table: FollowedTableName | StoredTableName): Promise<Snapshot>
  /**
   * Checks the files and runs a query over them; `sql` gets a function that turns some of them into a relation.
   * @throws {FileRemovedError} a file was replaced and deleted: read again from a newer version
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

/** Error for a file that a compaction replaced and deleted before it could be read. */
class FileRemovedError extends ServiceError {
  constructor(file: string, cause: unknown) {
    super('SERVICE_UNAVAILABLE', `data file ${file} was replaced before it could be read; try again`, { file }, cause)
  }
}

/** Runs a read, and once more from a newer version if a file was removed meanwhile. */
export async function fromNewest<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FileRemovedError)) throw error
    return read()
  }
}

/** Creates a source from its parts. */
export function historySource(
  snapshot: HistorySource['snapshot'],
  verify: VerifyFiles,
  queries: Queries,
  small_file_rows: number,
): HistorySource {
  /** A missing file that the newest version does not name is not damage. */
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
      const path_of = new Map(asked.map((file, n) => [file, paths[n]!]))
      const small = new Set(whole ? [] : smallFiles(asked, small_file_rows))
      const kept = small.size === 0 ? null : { table, paths: [...small].map((file) => path_of.get(file)!) }
      try {
        const text = sql((some) => relationOf(table, some, path_of, small))
        return await queries.query(text, params, kept)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        await verified(table, files) // throws an error that names a damaged file
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
