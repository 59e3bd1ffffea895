import { formatMicros } from '../../primitives/instants.ts'
import type { BatchRow } from '../../trading/projections/rows.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import type { EngineConnection } from '../../trading/store/engine-connection.ts'
import { type BatchToWrite, type PreparedBatch, prepareBatch, writePrepared } from '../../trading/store/write-batch.ts'

const INSERT = `
  WITH batch AS (
    INSERT INTO trading.bench_journal VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), decode($7, 'hex'), $8)
    RETURNING last_engine_sequence
  )
  SELECT pg_notify('tidemark_engine', last_engine_sequence::text) FROM batch`

/** Adds the table of the journal. Its bodies are not compressed, which would cost more than it saves here. */
export async function createJournal(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE trading.bench_journal (LIKE trading.engine_batch INCLUDING ALL, body bytea NOT NULL);
    ALTER TABLE trading.bench_journal ALTER body SET STORAGE EXTERNAL`)
}

/** Commits a decided batch as one row, under the lease: its link of the hash chain, and the bytes of its rows in one value. */
export async function writeJournal(connection: EngineConnection, batch: BatchToWrite): Promise<BatchRow> {
  const { row, beginning, tables } = prepareBatch(connection, batch)
  const { batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash, hash } = row
  const body = Buffer.concat([...beginning, ...tables].flatMap(bytesOf))
  const link = [
    batch_sequence,
    epoch,
    formatMicros(at),
    last_engine_sequence,
    last_ledger_sequence,
    previous_hash,
    hash,
  ]
  const [hold] = beginning
  const insert = { name: 'journal', text: INSERT, values: [...link, body] }
  return await writePrepared(connection, { row, beginning: [hold!, insert], tables: [] })
}

function bytesOf(statement: PreparedBatch['tables'][number]): Buffer[] {
  const values: readonly unknown[] = 'rows' in statement ? [statement.rows] : statement.values
  return values.filter((value) => Buffer.isBuffer(value))
}
