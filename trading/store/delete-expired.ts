import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { SIGNED_REQUESTS } from '../../protocol/limits.ts'
import type { Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** Retention of answers under their Idempotency-Key. */
const ANSWER_KEPT_DAYS = 1

const NONCES = ['request_nonce', 'accepted_nonce'].map((table) =>
  readSql('delete_request_nonces', undefined, { table }),
)
const ANSWERS = readSql('delete_answers')
/** Retention of the counted requests of keys. */
const ACTIVITY_KEPT_DAYS = 90
const ACTIVITY = readSql('delete_key_activity')

/** Deletes replay keys whose windows have passed, and old counts of requests; no decision depends on them. @returns rows deleted */
export async function deleteExpired(pool: Pool, now: Micros): Promise<number> {
  const nonces_before = formatMicros(now - SIGNED_REQUESTS.nonce_retention_ms * 1000)
  const expired = [
    ...NONCES.map((text) => [text, nonces_before] as const),
    [ANSWERS, formatMicros(now - ANSWER_KEPT_DAYS * MICROS_PER_DAY)] as const,
    [ACTIVITY, formatMicros(now - ACTIVITY_KEPT_DAYS * MICROS_PER_DAY)] as const,
  ]
  let deleted = 0
  for (const [text, before] of expired) deleted += (await pool.query(text, [before])).rowCount ?? 0
  return deleted
}
