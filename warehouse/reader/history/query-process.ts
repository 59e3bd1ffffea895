import type { Connection } from '../../duckdb/memory-database.ts'
import { openMemoryDatabase, readRows } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { QueryJob, QueryProcessOptions, QueryReply } from './query-job.ts'
import { SmallFiles } from './small-files.ts'

/**
 * Main function of a process of the pool: one warm DuckDB, one query at a time, jobs and replies as messages. The process ends
 * with its parent; the parent kills it when a query takes too long.
 */
async function main(): Promise<void> {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // an orderly exit would wait for the query
  const options = JSON.parse(process.argv[2]!) as QueryProcessOptions
  const { connection } = await openMemoryDatabase({
    threads: String(options.threads),
    memory_limit: `${options.memory_mb}MB`,
    enable_external_file_cache: 'true', // hot pages are asked for again, and the limit bounds it
    temp_directory: '', // fail rather than spill to disk
  })
  await connection.run('set parquet_metadata_cache = true')
  const small = new SmallFiles(connection)
  // A Ctrl-C reaches the parent too, which ends this process after its last answer. A separate session would keep the signal
  // away, but on a busy machine its scheduling group gets CPU time apart from the parent: measured 5 times slower.
  process.on('SIGINT', () => undefined)
  process.on('message', (job: QueryJob) => {
    answer(connection, small, job)
      .then((rows): QueryReply => ({ id: job.id, ok: true, rows }))
      .catch((error: unknown) => failure(job.id, error))
      .then((reply) => process.send?.(reply))
  })
  process.send?.({ ready: true } satisfies QueryReply)
}

async function answer(connection: Connection, small: SmallFiles, { id, sql, params, kept }: QueryJob): Promise<Row[]> {
  if (kept !== null) await small.keep(kept, () => process.send?.({ id, kept: true } satisfies QueryReply))
  return readRows(connection, sql, params)
}

function failure(id: number, error: unknown): QueryReply {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0]!
  return { id, ok: false, limit: /^Out of Memory/i.test(message), message }
}

void main()
