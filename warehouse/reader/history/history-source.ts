import { ServiceError } from '../../../primitives/errors.ts'
import type { SqlParameters } from '../../read/duckdb.ts'
import type { Row } from '../../schema.ts'
import type { LiveFile, Snapshot } from '../../warehouse.ts'
import type { FollowedTableName } from '../followed-tables.ts'
import type { VerifyFiles } from '../verified-paths.ts'
import type { QueryPool } from './query-pool.ts'
import { EngineError } from './query-worker.ts'

/** What reads of history are made from. */
export type HistorySource = {
  /** The newest version of a table that can be read; it may be newer than memory. */
  snapshot(table: FollowedTableName): Promise<Snapshot>
  /** Runs a query over files that are checked first; `sql` gets their local paths, in their order. */
  query(files: readonly LiveFile[], sql: (paths: readonly string[]) => string, params?: SqlParameters): Promise<Row[]>
}

/** Joins the parts. */
export function historySource(
  snapshot: HistorySource['snapshot'],
  verify: VerifyFiles,
  pool: Pick<QueryPool, 'query'>,
): HistorySource {
  return {
    snapshot,
    async query(files, sql, params) {
      const paths = await verify(files)
      try {
        return await pool.query(sql(paths), params)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        await verify(files) // a file that was damaged meanwhile is named
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
