import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import type { FoundEntry, LogReader } from '../../warehouse/transparency/log-reader.ts'

/** Usual wait for a record to be logged: a batch is appended once a minute. */
const RETRY_AFTER_MS = 30_000

/**
 * Returns the entry of a record that is served now.
 * @throws {ServiceError} PROOF_PENDING: it is not in the log yet; LOG_CORRUPT: the log has another text of it
 */
export async function findEntry(log: LogReader | null, record: LoggedRecord): Promise<FoundEntry> {
  const { kind, record_id, published_at, record_text } = record
  const found = (await log?.find(kind, record_id)) ?? []
  const same = found.filter(({ entry }) => entry.published_at === published_at)
  const row_sha256 = sha256Hex(record_text)
  const match = same.find(({ entry }) => entry.row_sha256 === row_sha256)
  if (match !== undefined) return match
  if (same.length === 0) throw proofPending(`${kind} ${record_id}`, 'a record in the log')
  const logged = same[0]!.entry.row_sha256
  const message = `${kind} ${record_id} has the SHA-256 ${row_sha256}; allowed: ${logged}, as it was logged when it was published`
  throw new ServiceError('LOG_CORRUPT', message, { kind, record_id })
}

/** Builds the error of what the log does not cover yet. */
export function proofPending(value: string, allowed: string): ServiceError {
  const message = `${value} is not covered by a checkpoint yet; allowed: ${allowed}; ask again later`
  return new ServiceError('PROOF_PENDING', message, { retry_after_ms: String(RETRY_AFTER_MS) })
}
