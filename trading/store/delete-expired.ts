import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** Retention of nonces: longer than a timestamp signed with one is accepted. */
const NONCE_KEPT_SECONDS = 300
/** Retention of answers under their Idempotency-Key. */
const ANSWER_KEPT_DAYS = 1

const NONCES = readSql('delete_request_nonces')
const ANSWERS = readSql('delete_answers')

/** Deletes replay keys whose windows have passed; no decision depends on them. @returns rows deleted */
export async function deleteExpired(pool: Pool, now: Micros): Promise<number> {
  const nonces = await pool.query(NONCES, [formatMicros(now - NONCE_KEPT_SECONDS * MICROS_PER_SECOND)])
  const answers = await pool.query(ANSWERS, [formatMicros(now - ANSWER_KEPT_DAYS * MICROS_PER_DAY)])
  return (nonces.rowCount ?? 0) + (answers.rowCount ?? 0)
}
