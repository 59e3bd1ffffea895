import { rmSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type MemoryDatabase, openMemoryDatabase } from '../duckdb/memory-database.ts'
import { parquetScratch } from '../export/parquet-file.ts'
import { planText } from '../export/plan-text.ts'
import { pipeOpen, writeResult } from '../export/write-result.ts'
import { quoteText } from '../sql/read-sql.ts'
import { createViews } from './sources-session.ts'
import { sqlComplaint } from './sql-complaint.ts'
import type { SqlJob, SqlVerdict } from './sql-job.ts'

/**
 * Separate process that runs user SQL: the job on standard input, the result on standard output, the verdict on file descriptor
 * 3. Descriptor 4 stays open while the parent lives; when it closes, this process ends.
 */
const VERDICT_FD = 3
const PARENT_FD = 4

async function main(): Promise<void> {
  const job = JSON.parse(await text(process.stdin)) as SqlJob
  endWithParent(job)
  const verdict = await runJob(job).catch(failure)
  writeSync(VERDICT_FD, JSON.stringify(verdict))
  process.exit(0)
}

async function runJob(job: SqlJob): Promise<SqlVerdict> {
  const database = await openMemoryDatabase({
    memory_limit: `${job.limits.memory_mb}MB`,
    temp_directory: job.scratch,
    max_temp_directory_size: `${4 * job.limits.memory_mb}MB`,
  })
  await createViews(database.connection, job.sources, { as_of: job.as_of, named_in: job.sql })
  await lock(database.connection, job)
  const counter = { rows: 0 }
  const { connection } = database
  const table = { rows_max: job.limits.table_rows, width: job.width }
  const pieces =
    job.answer === 'plan'
      ? planText(connection, job.sql, job.format)
      : writeResult({ ...job, connection, table }, counter)
  await pipeOpen(Readable.from(pieces), process.stdout)
  return { ok: true, rows: counter.rows }
}

/** Restricts DuckDB to reading the snapshot's files and writing its scratch file. */
async function lock(connection: MemoryDatabase['connection'], job: SqlJob): Promise<void> {
  const files = job.sources.flatMap((source) => source.files.map((file) => file.path))
  const intervals = job.sources.flatMap((source) => (source.intervals === null ? [] : [source.intervals.path]))
  const allowed = [...files, ...intervals, parquetScratch(job.scratch)].map(quoteText)
  await connection.run(`set allowed_paths = [${allowed.join(', ')}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}

function failure(error: unknown): SqlVerdict {
  const message = sqlComplaint(error instanceof Error ? error.message : String(error))
  return { ok: false, limit: /^Out of (Memory|Range Error: .*temp)/i.test(message), message }
}

/** Ends with SIGKILL: an orderly exit would wait for DuckDB's threads, and so for the abandoned query. */
function endWithParent(job: SqlJob): void {
  const end = () => {
    rmSync(job.scratch, { recursive: true, force: true })
    process.kill(process.pid, 'SIGKILL')
  }
  new Socket({ fd: PARENT_FD }).on('close', end).resume()
}

void main()
