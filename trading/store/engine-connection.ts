import type { Duplex } from 'node:stream'
import pg from 'pg'
import { BY_INDEX, connectionOptions, type Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'
import { type Column, type EventPlan, eventPlan, type TablePlan, type WrittenTable, writePlan } from './write-plan.ts'

/** Name that an engine's connection is known by; sql/lease_state.sql and sql/end_backend.sql look for it. */
const ENGINE_NAME = 'tidemark engine'

/** Keys are looked up in their indexes: a statement has one plan, whatever it is asked for, and is not planned anew each time. */
const LOOK_UPS_ONLY = `${BY_INDEX} -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan`

/** A database that is silent for longer has an unknown state: the connection is given up. */
const QUERY_MS = 20_000
const CONNECT_MS = 5_000

/** The engine's own connection: its transactions are the only ones that write. */
export type EngineConnection = {
  readonly client: pg.Client
  readonly backend_pid: number
  readonly plan: ReadonlyMap<WrittenTable, TablePlan>
  readonly events: EventPlan
  /** Sends what a piece of work asks for in one go: each statement by itself would be a write of the socket, and a wake-up there. */
  readonly together: <T>(work: () => T) => T
  /** It broke: what was sent last may or may not have been carried out. */
  readonly isBroken: () => boolean
  /** Resolves once it broke or was closed. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Connects an engine to the database of a pool. Statements are sent without waiting for the answers to those before
 * (pipeline), so a batch costs one round trip and not one a table.
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
      // Of the library's own; its types do not tell of it.
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
