import { noChanges } from '../../../trading/engine/changes.ts'
import { needsOf } from '../../../trading/engine/needs-of.ts'
import { type EngineState, emptyState } from '../../../trading/engine/state.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import type { BatchRow } from '../../../trading/projections/rows.ts'
import { ENGINE_CORE } from '../../../trading/service/engine-core.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { connectEngineDatabase, type EngineConnection } from '../../../trading/store/engine-connection.ts'
import { takeLease } from '../../../trading/store/lease.ts'
import { loadFacts } from '../../../trading/store/load-facts.ts'
import { writeBatch } from '../../../trading/store/write-batch.ts'

export const LEASE_MS = 60_000
export const CANDIDATE = { holder: 'test', lease_ms: LEASE_MS }
/** Stamp before the first batch. */
export const START = 1_790_000_000_000_000

/** Writes batches as an engine does, without its service; a second apart. */
export class BatchWriter {
  readonly pool: Pool
  readonly connection: EngineConnection
  readonly state: EngineState = emptyState()
  readonly epoch: number
  last: BatchRow | null = null
  now = START

  constructor(pool: Pool, connection: EngineConnection, epoch: number) {
    this.pool = pool
    this.connection = connection
    this.epoch = epoch
  }

  async write(...submissions: readonly Submission[]): Promise<Answer[]> {
    this.now += 1_000_000
    const facts = await loadFacts(this.connection, needsOf(...submissions), this.now)
    const changes = noChanges()
    const answers = submissions.map((one) => ENGINE_CORE.apply(this.state, one, facts, this.now, changes))
    const rows = ENGINE_CORE.finish(this.state, this.now, changes)
    const { engine_sequence: last_engine_sequence, ledger_sequence: last_ledger_sequence } = this.state
    const lease = { epoch: this.epoch, lease_ms: LEASE_MS, at: this.now, previous: this.last }
    this.last = await writeBatch(this.connection, { ...lease, rows, last_engine_sequence, last_ledger_sequence })
    return answers
  }

  /** Ids of the invariants that do not hold. */
  async broken(): Promise<string[]> {
    return (await auditTrading(this.pool, { without: ['O10'] })).flatMap(({ invariant_id, violations }) =>
      violations.length > 0 ? [invariant_id] : [],
    )
  }

  /** Changes what no user may: the triggers are off for it. */
  async tamper(sql: string): Promise<void> {
    const client = await this.pool.connect()
    await client.query('BEGIN')
    await client.query('SET LOCAL session_replication_role = replica')
    await client.query(sql)
    await client.query('COMMIT')
    client.release()
  }
}

/** A writer that has the lease of an empty database. Its connection is the caller's to close. */
export async function openWriter(pool: Pool): Promise<BatchWriter> {
  const connection = await connectEngineDatabase(pool)
  return new BatchWriter(pool, connection, (await takeLease(connection, CANDIDATE, null))!.epoch)
}
