import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../primitives/errors.ts'
import type { SqlJob, SqlLimits, SqlVerdict } from './sql-job.ts'

const SCRIPT = fileURLToPath(new URL('./sql-process.mjs', import.meta.url))

/** Consumes the bytes of a result and resolves at their end. */
export type ResultConsumer = (bytes: Readable) => Promise<unknown>

/** A process that waits for its one statement. */
export type StartedSql = {
  /**
   * Runs one guarded statement and passes the stream of its result to `consume`. The process is killed when its time is up, when `signal`
   * aborts and when this process ends.
   * @returns the number of rows
   * @throws {ServiceError} VALIDATION_SQL_LIMIT: time or memory is used up; VALIDATION_SQL_REFUSED: any other error of DuckDB
   */
  run(job: Omit<SqlJob, 'scratch' | 'limits'>, consume: ResultConsumer, signal?: AbortSignal): Promise<number>
  /** Ends the process if it has no statement. */
  end(): void
}

/**
 * Starts a separate process for one statement, before it is known what the statement reads: both take their time at once. It is in a process
 * group of its own, so that a Ctrl-C reaches it through us and never before us.
 */
export function startSql(limits: SqlLimits): StartedSql {
  const child = spawn(process.execPath, [`--max-old-space-size=${limits.memory_mb}`, SCRIPT], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  return {
    run: async (job, consume, signal) => {
      const scratch = await mkdtemp(join(tmpdir(), 'tidemark-sql-'))
      try {
        return await converse(child, { ...job, limits, scratch }, consume, signal)
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
    end: () => void child.kill('SIGKILL'),
  }
}

async function converse(
  child: ChildProcess,
  job: SqlJob,
  consume: ResultConsumer,
  signal?: AbortSignal,
): Promise<number> {
  let late = false
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(() => {
    late = true
    kill()
  }, job.limits.time_ms)
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  try {
    child.stdin!.on('error', () => undefined).end(JSON.stringify(job))
    const [verdict, complaint] = await Promise.all([
      text(child.stdio[3] as Readable),
      text(child.stderr!),
      consume(child.stdout!),
    ])
    signal?.throwIfAborted()
    return judge(verdict, complaint, job, late)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
    kill()
  }
}

function judge(verdict: string, complaint: string, job: SqlJob, late: boolean): number {
  const { time_ms, memory_mb } = job.limits
  if (late)
    throw limit(
      `sql ran longer than ${time_ms} ms; allowed: ${time_ms} ms, or a longer --time-limit`,
      'time_ms',
      time_ms,
    )
  if (verdict === '')
    throw limit(
      `sql ended its process (${lastLine(complaint)}); allowed: ${memory_mb} MB, or a larger --memory-limit`,
      'memory_mb',
      memory_mb,
    )
  const result = JSON.parse(verdict) as SqlVerdict
  if (result.ok) return result.rows
  const { message } = result
  if (result.limit)
    throw limit(
      `sql needs more than ${memory_mb} MB (${message}); allowed: ${memory_mb} MB, or a larger --memory-limit`,
      'memory_mb',
      memory_mb,
    )
  throw new ServiceError(
    'VALIDATION_SQL_REFUSED',
    `sql fails: ${message.replace(/^[A-Z][A-Za-z ]* Error: /, '')}; allowed: a SELECT that the views can answer`,
    { seen: message },
  )
}

function limit(message: string, name: string, value: number): ServiceError {
  return new ServiceError('VALIDATION_SQL_LIMIT', message, { [name]: String(value) })
}

function lastLine(complaint: string): string {
  return complaint.trim().split('\n').at(-1) || 'killed'
}
