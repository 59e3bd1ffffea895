import type { Duplex } from 'node:stream'
import pg from 'pg'
import { BY_INDEX, connectionOptions, type Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'
import { type Column, type EventPlan, eventPlan, type TablePlan, type WrittenTable, writePlan } from './write-plan.ts'

/** Application name of an engine's connection; sql/lease_state.sql and sql/end_backend.sql look for it. */
const ENGINE_NAME = 'tidemark engine'

/** Planner settings for lookups by key: one generic plan per statement, never planned anew. */
const LOOK_UPS_ONLY = `${BY_INDEX} -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan`

/** Silence after which the connection is dropped, because the database's state is unknown. */
const QUERY_MS = 20_000
const CONNECT_MS = 5_000

/** The engine's connection, the only one whose transactions write. */
export type EngineConnection = {
  readonly client: pg.Client
  readonly backend_pid: number
  readonly plan: ReadonlyMap<WrittenTable, TablePlan>
  readonly events: EventPlan
  /** Sends all statements of `work` in one write; one by one, each would cost a system call here and a wake-up there. */
  readonly together: <T>(work: () => T) => T
  /** Returns whether the connection broke; whether the last statements were executed is then unknown. */
  readonly isBroken: () => boolean
  /** Resolves when the connection breaks or is closed. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Connects an engine to the database of a pool. Statements are pipelined: each is sent without waiting for earlier answers,
 * so a batch costs one round trip instead of one per table.
 */
export async function connectEngineDatabase(pool: Pool): Promise<EngineConnection> {
  const url = pool.options.connectionString!
  const client = new pg.Client({
    ...connectionOptions(url, ENGINE_NAME, LOOK_UPS_ONLY),
    pipeline: true,
    query_timeout: QUERY_MS,
    connectionTimeoutMillis: CONNECT_MS,
  } as pg.ClientConfig)
  let broken = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      broken = true
      resolve()
    }
    client.on('error', end)
    client.on('end', end)
  })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const columns = await client.query<Column>(readSql('written_columns'))
  return {
    client,
    backend_pid: rows[0]!.pid,
    plan: writePlan(columns.rows),
    events: eventPlan(columns.rows),
    together: (work) => {
      // Internal to the library and absent from its types.
      const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
      stream.cork()
      try {
        return work()
      } finally {
        stream.uncork()
      }
    },
    isBroken: () => broken,
    ended,
    close: async () => {
      await client.end().catch(() => undefined)
    },
  }
}
